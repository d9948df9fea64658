import { route } from '@/lib/auth/route';
import {
  adminSourceRefundResponse,
  adminSourceRefundView,
  refundIdParams,
} from '@/lib/payments/reversals/source-refunds/contract';
import { getRefund } from '@/lib/payments/reversals/source-refunds/queries';
import { retryRefund } from '@/lib/payments/reversals/source-refunds/send';

export const POST = route(
  {
    access: 'ManageWallets',
    scope: 'none',
    params: refundIdParams,
    summary: 'Makes the next attempt of a refund in progress now: asks the payment provider, and calls it if needed.',
    response: adminSourceRefundResponse,
    errors: ['not_found', 'conflict'],
  },
  async ({ actor, params }) => {
    // A refund that does not exist is not found; one that ended is a conflict.
    await getRefund(params.id);
    await retryRefund(actor, params.id);
    return adminSourceRefundView(await getRefund(params.id));
  },
);
