import { route } from '@/lib/auth/route';
import { getSellerPayout } from '@/lib/payouts/queries';
import { payoutIdParams, payoutResponse } from '@/lib/payouts/schemas';
import { payoutView } from '@/lib/payouts/views';
import { withdrawPayout } from '@/lib/payouts/withdraw';

export const DELETE = route(
  {
    access: 'seller',
    params: payoutIdParams,
    summary: 'Withdraws a requested payout before its approval. Its amount is in the balance again.',
    response: payoutResponse,
    errors: ['not_found', 'conflict'],
  },
  async ({ actor, params }) => {
    await withdrawPayout(actor, params.id);
    return payoutView(await getSellerPayout(actor.userId, params.id));
  },
);
