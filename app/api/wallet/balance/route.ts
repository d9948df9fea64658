import { route } from '@/lib/http/route';
import { getWalletBalance } from '@/lib/wallet/balance';
import { walletBalanceView } from '@/lib/wallet/views';

export const GET = route({ access: 'session' }, async ({ actor }) =>
  walletBalanceView(await getWalletBalance(actor.userId)),
);
