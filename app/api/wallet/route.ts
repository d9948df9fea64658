import { route } from '@/lib/auth/route';
import { getWalletBalance } from '@/lib/ledger/balance';
import { walletBalanceResponse, walletBalanceView } from '@/lib/wallet/contract';

/** Returns the balance. Accepts `?summary=1` for compatibility. */
export const GET = route(
  { access: 'account:balance', summary: "Returns the caller's balance.", response: walletBalanceResponse },
  async ({ actor }) => walletBalanceView(await getWalletBalance(actor.accountId)),
);
