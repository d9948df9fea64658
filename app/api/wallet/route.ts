import { route } from '@/lib/auth/route';
import { getWalletBalance } from '@/lib/ledger/balance';
import { walletBalanceAnswer } from '@/lib/wallet/answers';
import { walletBalanceView } from '@/lib/wallet/views';

/** Returns the balance. Accepts `?summary=1` for compatibility. */
export const GET = route(
  { access: 'session', summary: "The caller's balance.", answer: walletBalanceAnswer },
  async ({ actor }) => walletBalanceView(await getWalletBalance(actor.userId)),
);
