import { route } from '@/lib/auth/route';
import { exportPayouts } from '@/lib/payouts/bank/export';
import { getPayoutBatch } from '@/lib/payouts/batches';
import { exportPayoutsBody, payoutBatchResponse, payoutBatchView } from '@/lib/payouts/contract';

export const POST = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    summary: 'Puts approved payouts to bank accounts into a bank file, and moves them to `sent`.',
    response: payoutBatchResponse,
    status: 201,
    errors: ['not_found', 'forbidden', 'conflict', 'unprocessable'],
    body: exportPayoutsBody,
  },
  async ({ actor, body }) => {
    const { id } = await exportPayouts(actor, body);
    return payoutBatchView(await getPayoutBatch(id));
  },
);
