import { route } from '@/lib/auth/route';
import { getRefund } from '@/lib/payments/reversals/source-refunds/queries';
import { adminSourceRefundResponse, refundIdParams } from '@/lib/payments/reversals/source-refunds/schemas';
import { retryRefund } from '@/lib/payments/reversals/source-refunds/send';
import { adminSourceRefundView } from '@/lib/payments/reversals/source-refunds/views';

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
