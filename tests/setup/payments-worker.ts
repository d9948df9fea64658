import { z } from 'zod';
import { closeDb } from '@/db/client';
import { paymentProviders } from '@/db/schema/topups';
import { createRefund } from '@/lib/payments/reversals/source-refunds/create';
import { sendRefunds } from '@/lib/payments/reversals/source-refunds/send';
import { settleStatements } from '@/lib/payments/settlement/settle-statements';
import { cancelTopup, settleReturn } from '@/lib/payments/top-ups/checkout';
import { createTopup } from '@/lib/payments/top-ups/create';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { handleWebhook } from '@/lib/payments/webhooks/webhook-route';
import { runPayoutBatches } from '@/lib/payouts/paypal/run-batches';
import { actorOf } from '@/tests/factories/make-user';

// Runs payment operations in a separate process, one after the other, which a test can kill at any point. It ends with
// its channel to the test.

const provider = z.enum(paymentProviders);
const person = { userId: z.string(), ip: z.string() };
const workSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('create'), ...person, provider, amountCents: z.number() }),
  z.object({ do: z.literal('return'), ...person, topupId: z.string() }),
  z.object({ do: z.literal('cancel'), ...person, topupId: z.string() }),
  z.object({ do: z.literal('reconcile') }),
  z.object({ do: z.literal('settle') }),
  z.object({ do: z.literal('refund'), staffId: z.string(), topupId: z.string(), amountCents: z.number() }),
  z.object({ do: z.literal('send-refunds') }),
  z.object({ do: z.literal('payouts') }),
  z.object({
    do: z.literal('webhook'),
    provider,
    rawBase64: z.string(),
    headers: z.array(z.tuple([z.string(), z.string()])),
  }),
]);
export type Work = z.infer<typeof workSchema>;

async function run(work: Work): Promise<void> {
  switch (work.do) {
    case 'create':
      await createTopup(
        { ...(await actorOf(work.userId)), ip: work.ip },
        { provider: work.provider, amountCents: work.amountCents, returnUrl: '/user/wallet' },
      );
      return;
    case 'return':
      await settleReturn(await actorOf(work.userId), { topupId: work.topupId, reference: null });
      return;
    case 'cancel':
      await cancelTopup(await actorOf(work.userId), work.topupId);
      return;
    case 'reconcile':
      await reconcileTopups();
      return;
    case 'refund':
      await createRefund(
        await actorOf(work.staffId, ['AdminDashboard', 'ManageWallets']),
        { topupId: work.topupId, amountCents: work.amountCents, reason: 'Killed' },
        'key',
      );
      return;
    case 'send-refunds':
      await sendRefunds();
      return;
    case 'settle':
      await settleStatements();
      return;
    case 'payouts':
      await runPayoutBatches();
      return;
    case 'webhook': {
      const notification = { raw: Buffer.from(work.rawBase64, 'base64'), headers: new Headers(work.headers) };
      await handleWebhook(work.provider, { ...notification, ip: '', requestId: 'worker' });
    }
  }
}

// A failure ends the process with an exit code.
process.on('message', (work) => void run(workSchema.parse(work)).then(() => process.send?.('done')));
process.once('disconnect', () => void closeDb());
