import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { approveRequest } from '@/lib/orders/requests/approve';
import { answerAsClient } from '@/lib/orders/requests/client-answer';
import { maxAnswerBytes } from '@/lib/orders/requests/client-contract';
import {
  approveRequestBody,
  declineRequestBody,
  requestIdParams,
  requestResponse,
} from '@/lib/orders/requests/contract';
import { declineRequest } from '@/lib/orders/requests/decline';

const answer = {
  access: 'account:requests',
  scope: 'orders:write',
  response: requestResponse,
  params: requestIdParams,
  maxBodyBytes: maxAnswerBytes,
} as const;

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  approve: {
    POST: route(
      {
        ...answer,
        summary: 'Approves a request: orders its lines, or the selected ones, for the requester, paid from the wallet.',
        description:
          'Prices, the policy and the availability are read again. With another price than the one shown, nothing is ordered (409): `cents` and `taxCents` of the lines are then the current ones. The request stays open after every error. Owners approve all requests, managers and Finance those of others. A member with the role Client answers a request that was sent to the client, once: an answer that cannot be ordered is kept, and the request stays open for the agency.',
        errors: [
          ...(['forbidden', 'insufficient_funds', 'not_found', 'conflict', 'duplicate_site'] as const),
          ...(['billing_incomplete', 'policy', 'not_configured', 'unprocessable', 'gone'] as const),
        ],
        body: approveRequestBody,
      },
      async ({ actor, params, body }) => {
        const request = await (actor.accountRole === 'client'
          ? answerAsClient(actor, params.id, body)
          : approveRequest(actor, params.id, body));
        deliverAfterResponse();
        return request;
      },
    ),
  },
  decline: {
    POST: route(
      {
        ...answer,
        summary: 'Declines a request. Nothing is ordered. Requesters withdraw their own ones.',
        errors: ['forbidden', 'not_found', 'conflict', 'unprocessable', 'gone'],
        body: declineRequestBody,
      },
      async ({ actor, params, body }) => {
        const request = await (actor.accountRole === 'client'
          ? answerAsClient(actor, params.id, { ...body, lineIds: [] })
          : declineRequest(actor, params.id, body));
        deliverAfterResponse();
        return request;
      },
    ),
  },
});
