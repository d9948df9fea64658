import { route } from '@/lib/auth/route';
import { getPayoutBatch } from '@/lib/payouts/batches';
import { payoutBatchResponse, payoutBatchView, payoutIdParams } from '@/lib/payouts/contract';
import { retryPayoutBatch } from '@/lib/payouts/paypal/staff-actions';

export const POST = route(
  {
    access: 'ManagePayouts',
    scope: 'none',
    params: payoutIdParams,
    summary: 'Sends or reads a batch of PayPal payouts now instead of at its next time.',
    response: payoutBatchResponse,
    errors: ['not_found', 'conflict'],
  },
  async ({ actor, params }) => {
    await retryPayoutBatch(actor, params.id);
    return payoutBatchView(await getPayoutBatch(params.id));
  },
);
