import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { listPayoutBatches } from '@/lib/payouts/batches';
import { payoutBatchResponse, payoutBatchView } from '@/lib/payouts/contract';

export const GET = route(
  {
    access: 'ManagePayouts',
    summary: 'Lists the newest batches of payouts, up to 100.',
    response: z.array(payoutBatchResponse),
  },
  async () => (await listPayoutBatches()).map(payoutBatchView),
);
