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

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  approve: {
    POST: route(
      {
        access: 'ManageWallets',
        recentAuthentication: true,
        params: refundIdParams,
        summary:
          'Approves a requested refund and sends it. Above the limit of one person, a second person approves it.',
        response: startedRefundResponse,
        errors: ['not_found', 'conflict'],
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
        access: 'ManageWallets',
        params: refundIdParams,
        summary: 'Declines a requested refund. The money stays in the wallet.',
        response: adminSourceRefundResponse,
        errors: ['not_found', 'conflict'],
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
        access: 'ManageWallets',
        scope: 'none',
        params: refundIdParams,
        summary:
          'Makes the next attempt of a refund in progress now: asks the payment provider, and calls it if needed.',
        response: adminSourceRefundResponse,
        errors: ['not_found', 'conflict'],
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
