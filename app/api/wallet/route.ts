import { route } from '@/lib/auth/route';
import { getWalletBalance } from '@/lib/ledger/balance';
import { walletBalanceAnswer } from '@/lib/wallet/answers';
import { walletBalanceView } from '@/lib/wallet/views';

/** The balance; `?summary=1` is the same, for callers that ask so. */
export const GET = route(
  { access: 'session', summary: "The caller's balance.", answer: walletBalanceAnswer },
  async ({ actor }) => walletBalanceView(await getWalletBalance(actor.userId)),
);
