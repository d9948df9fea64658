import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import {
  approveRefundBody,
  refundIdParams,
  startedRefundResponse,
} from '@/lib/payments/reversals/source-refunds/contract';
import { approveRefund } from '@/lib/payments/reversals/source-refunds/create';
import { getStartedRefund } from '@/lib/payments/reversals/source-refunds/queries';

export const POST = route(
  {
    access: 'ManageWallets',
    recentAuthentication: true,
    params: refundIdParams,
    summary: 'Approves a requested refund and sends it. Above the limit of one person, a second person approves it.',
    response: startedRefundResponse,
    errors: ['not_found', 'conflict'],
    body: approveRefundBody,
  },
  async ({ actor, params, body }) => {
    const started = await approveRefund(actor, params.id, body.version);
    deliverAfterResponse();
    return getStartedRefund(started);
  },
);
