import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import {
  adminSourceRefundResponse,
  adminSourceRefundView,
  declineRefundBody,
  refundIdParams,
} from '@/lib/payments/reversals/source-refunds/contract';
import { getRefund } from '@/lib/payments/reversals/source-refunds/queries';
import { declineRefund } from '@/lib/payments/reversals/source-refunds/request';

export const POST = route(
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
);
