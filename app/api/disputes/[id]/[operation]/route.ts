import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { disputeIdParams, disputeResponse, disputeVersionBody, proposeBody } from '@/lib/orders/disputes/contract';
import { withdrawDispute } from '@/lib/orders/disputes/open';
import { proposeSettlement } from '@/lib/orders/disputes/proposals';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  proposals: {
    POST: route(
      {
        access: 'session',
        scope: 'orders:write',
        summary: 'Proposes the share of the charge that returns to the buyer.',
        description:
          'It replaces an earlier proposal of the same side. If the other side does not answer in time, it counts as accepted.',
        response: disputeResponse,
        status: 201,
        errors: ['not_found', 'forbidden', 'conflict'],
        params: disputeIdParams,
        body: proposeBody,
      },
      async ({ actor, params, body }) => {
        const dispute = await proposeSettlement(actor, params.id, body);
        deliverAfterResponse();
        return dispute;
      },
    ),
  },
  withdraw: {
    POST: route(
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
    ),
  },
});
