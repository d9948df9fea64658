import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { disputeIdParams, disputeResponse, disputeVersionBody, proposeBody } from '@/lib/orders/disputes/contract';
import { withdrawDispute } from '@/lib/orders/disputes/open';
import { proposeSettlement } from '@/lib/orders/disputes/proposals';

const one = {
  access: 'session',
  scope: 'orders:write',
  params: disputeIdParams,
  response: disputeResponse,
  errors: ['not_found', 'forbidden', 'conflict'],
} as const;

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  proposals: {
    POST: route(
      {
        ...one,
        summary: 'Proposes the share of the charge that returns to the buyer.',
        description:
          'It replaces an earlier proposal of the same side. If the other side does not answer in time, it counts as accepted.',
        status: 201,
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
      { ...one, summary: 'Withdraws a dispute that the caller opened.', body: disputeVersionBody },
      async ({ actor, params, body }) => {
        const dispute = await withdrawDispute(actor, params.id, body.version);
        deliverAfterResponse();
        return dispute;
      },
    ),
  },
});
