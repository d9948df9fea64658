import { route } from '@/lib/auth/route';
import { getWalletBalance } from '@/lib/ledger/balance';
import { walletBalanceResponse, walletBalanceView } from '@/lib/wallet/contract';

export const GET = route(
  { access: 'session', summary: "Returns the caller's balance.", response: walletBalanceResponse },
  async ({ actor }) => walletBalanceView(await getWalletBalance(actor.userId)),
);
