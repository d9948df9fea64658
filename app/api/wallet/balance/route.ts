import { route } from '@/lib/http/route';
import { walletBalanceAnswer } from '@/lib/wallet/answers';
import { getWalletBalance } from '@/lib/wallet/balance';
import { walletBalanceView } from '@/lib/wallet/views';

export const GET = route(
  { access: 'session', summary: "The caller's balance.", answer: walletBalanceAnswer },
  async ({ actor }) => walletBalanceView(await getWalletBalance(actor.userId)),
);
