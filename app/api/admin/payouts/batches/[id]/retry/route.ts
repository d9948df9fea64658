import { route } from '@/lib/auth/route';
import { getPayoutBatch } from '@/lib/payouts/batches';
import { retryPayoutBatch } from '@/lib/payouts/paypal/retry';
import { payoutBatchResponse, payoutIdParams } from '@/lib/payouts/schemas';
import { payoutBatchView } from '@/lib/payouts/views';

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
