import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { adminDisputeResponse, decideBody, disputeIdParams } from '@/lib/orders/disputes/contract';
import { decideDispute } from '@/lib/orders/disputes/decide';

export const POST = route(
  {
    access: 'ManageOrders',
    summary: 'Decides a dispute by the share of the charge that returns to the buyer.',
    response: adminDisputeResponse,
    errors: ['not_found', 'forbidden', 'conflict'],
    params: disputeIdParams,
    body: decideBody,
  },
  async ({ actor, params, body }) => {
    const dispute = await decideDispute(actor, params.id, body);
    deliverAfterResponse();
    return dispute;
  },
);
