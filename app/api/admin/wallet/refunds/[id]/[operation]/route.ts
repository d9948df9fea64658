import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import {
  adminSourceRefundResponse,
  adminSourceRefundView,
  approveRefundBody,
  declineRefundBody,
  refundIdParams,
  startedRefundResponse,
} from '@/lib/payments/reversals/source-refunds/contract';
import { approveRefund } from '@/lib/payments/reversals/source-refunds/create';
import { getRefund, getStartedRefund } from '@/lib/payments/reversals/source-refunds/queries';
import { declineRefund } from '@/lib/payments/reversals/source-refunds/request';
import { retryRefund } from '@/lib/payments/reversals/source-refunds/send';

const one = { access: 'ManageWallets', params: refundIdParams, errors: ['not_found', 'conflict'] } as const;

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  approve: {
    POST: route(
      {
        ...one,
        recentAuthentication: true,
        summary:
          'Approves a requested refund and sends it. Above the limit of one person, a second person approves it.',
        response: startedRefundResponse,
        body: approveRefundBody,
      },
      async ({ actor, params, body }) => {
        const started = await approveRefund(actor, params.id, body.version);
        deliverAfterResponse();
        return getStartedRefund(started);
      },
    ),
  },
  decline: {
    POST: route(
      {
        ...one,
        summary: 'Declines a requested refund. The money stays in the wallet.',
        response: adminSourceRefundResponse,
        body: declineRefundBody,
      },
      async ({ actor, params, body }) => {
        await declineRefund(actor, params.id, body);
        deliverAfterResponse();
        return adminSourceRefundView(await getRefund(params.id));
      },
    ),
  },
  retry: {
    POST: route(
      {
        ...one,
        scope: 'none',
        summary:
          'Makes the next attempt of a refund in progress now: asks the payment provider, and calls it if needed.',
        response: adminSourceRefundResponse,
      },
      async ({ actor, params }) => {
        // A refund that does not exist is not found; one that ended is a conflict.
        await getRefund(params.id);
        await retryRefund(actor, params.id);
        return adminSourceRefundView(await getRefund(params.id));
      },
    ),
  },
});
