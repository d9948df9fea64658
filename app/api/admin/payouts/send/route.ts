import { route } from '@/lib/auth/route';
import { getPayoutBatch } from '@/lib/payouts/batches';
import { payoutBatchResponse, payoutBatchView, payoutIdsInput } from '@/lib/payouts/contract';
import { sendWithPaypal } from '@/lib/payouts/paypal/staff-actions';

export const POST = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    summary:
      'Puts approved payouts to PayPal accounts into a batch that is sent with PayPal, and moves them to `sent`.',
    response: payoutBatchResponse,
    status: 201,
    errors: ['not_found', 'forbidden', 'conflict', 'not_configured'],
    body: payoutIdsInput,
  },
  async ({ actor, body }) => {
    const { id } = await sendWithPaypal(actor, body);
    return payoutBatchView(await getPayoutBatch(id));
  },
);
