import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { disputeResponse, openDisputeBody } from '@/lib/orders/disputes/contract';
import { openDispute } from '@/lib/orders/disputes/open';
import { orderIdParams } from '@/lib/orders/order/schemas';

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    summary: "Opens a dispute about an order's delivery.",
    description: 'The clocks of the placement stand still until the dispute ends.',
    response: disputeResponse,
    status: 201,
    errors: ['not_found', 'conflict'],
    params: orderIdParams,
    body: openDisputeBody,
  },
  async ({ actor, params, body }) => {
    const dispute = await openDispute(actor, params.id, 'buyer', body);
    deliverAfterResponse();
    return dispute;
  },
);
