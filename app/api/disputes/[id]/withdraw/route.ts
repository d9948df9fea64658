import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { disputeIdParams, disputeResponse, disputeVersionBody } from '@/lib/orders/disputes/contract';
import { withdrawDispute } from '@/lib/orders/disputes/open';

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    summary: 'Withdraws a dispute that the caller opened.',
    response: disputeResponse,
    errors: ['not_found', 'forbidden', 'conflict'],
    params: disputeIdParams,
    body: disputeVersionBody,
  },
  async ({ actor, params, body }) => {
    const dispute = await withdrawDispute(actor, params.id, body.version);
    deliverAfterResponse();
    return dispute;
  },
);
