import { route } from '@/lib/auth/route';
import {
  refundIdParams,
  sourceRefundResponse,
  sourceRefundView,
} from '@/lib/payments/reversals/source-refunds/contract';
import { getOwnRefund } from '@/lib/payments/reversals/source-refunds/queries';
import { withdrawRefund } from '@/lib/payments/reversals/source-refunds/request';

export const GET = route(
  {
    access: 'account:wallet',
    params: refundIdParams,
    summary: "Returns a refund of one of the caller's top-ups.",
    response: sourceRefundResponse,
    errors: ['not_found'],
  },
  async ({ actor, params }) => sourceRefundView(await getOwnRefund(actor.accountId, params.id)),
);

export const DELETE = route(
  {
    access: 'account:wallet',
    scope: 'none',
    params: refundIdParams,
    summary: 'Withdraws a requested refund before its approval.',
    response: sourceRefundResponse,
    errors: ['not_found', 'conflict'],
  },
  async ({ actor, params }) => sourceRefundView(await withdrawRefund(actor, params.id)),
);
