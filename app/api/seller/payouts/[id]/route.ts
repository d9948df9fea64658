import { route } from '@/lib/auth/route';
import { payoutIdParams, payoutResponse, payoutView } from '@/lib/payouts/contract';
import { getSellerPayout } from '@/lib/payouts/queries';
import { withdrawPayout } from '@/lib/payouts/request';

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
