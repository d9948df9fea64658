import { route } from '@/lib/auth/route';
import { disputeIdParams, disputeResponse, disputeView } from '@/lib/orders/disputes/contract';
import { getDispute, getReader } from '@/lib/orders/disputes/queries';

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
