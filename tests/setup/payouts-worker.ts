import { z } from 'zod';
import { closeDb } from '@/db/client';
import { permissions } from '@/lib/access/permissions';
import { approvePayout } from '@/lib/payouts/approve';
import { applyStatement } from '@/lib/payouts/bank/apply-statement';
import { exportPayouts } from '@/lib/payouts/bank/export';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { requestPayout, withdrawPayout } from '@/lib/payouts/request';
import { actorOf } from '@/tests/factories/make-user';
import { camt053 } from './bank-statement';

// Runs one step of a payout in a separate process, which a test can kill at any point.

const payoutSteps = ['request', 'withdraw', 'approve', 'export', 'paid', 'failed', 'executed', 'bounced'] as const;
const workSchema = z.object({
  step: z.enum(payoutSteps),
  sellerId: z.string(),
  staffId: z.string(),
  payoutId: z.string(),
  cents: z.number(),
});
export type PayoutWork = z.output<typeof workSchema>;

async function run({ step, sellerId, staffId, payoutId, cents }: PayoutWork): Promise<unknown> {
  const [seller, staff] = [await actorOf(sellerId), await actorOf(staffId, permissions)];
  const upload = (isReturn: boolean) => applyStatement(staff, camt053([{ id: payoutId, cents, isReturn }]));
  switch (step) {
    case 'request':
      return requestPayout(seller, { idempotencyKey: 'killed' });
    case 'withdraw':
      return withdrawPayout(seller, payoutId);
    case 'approve':
      return approvePayout(staff, payoutId);
    case 'export':
      return exportPayouts(staff, { format: 'pain.001', ids: [payoutId] });
    case 'paid':
      return markPayoutPaid(staff, payoutId, { reference: '' });
    case 'failed':
      return markPayoutFailed(staff, payoutId, { reason: 'No' });
    case 'executed':
      return upload(false);
    case 'bounced':
      return upload(true);
  }
}

// A failure ends the process with an exit code.
process.on('message', (work) => void run(workSchema.parse(work)).then(() => process.send?.('done')));
process.once('disconnect', () => void closeDb());
