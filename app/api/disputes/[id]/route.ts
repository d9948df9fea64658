import { route } from '@/lib/auth/route';
import { getDispute, getReader } from '@/lib/orders/disputes/queries';
import { disputeIdParams, disputeResponse } from '@/lib/orders/disputes/schemas';
import { disputeView } from '@/lib/orders/disputes/views';

export const GET = route(
  {
    access: 'session',
    summary: 'Returns a dispute to the buyer, to the seller and to staff.',
    response: disputeResponse,
    errors: ['not_found'],
    params: disputeIdParams,
  },
  async ({ actor, params }) => {
    const dispute = await getDispute(params.id);
    return disputeView(dispute, getReader(actor, dispute));
  },
);
