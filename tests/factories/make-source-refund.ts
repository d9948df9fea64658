import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { type SourceRefundState, sourceRefunds } from '@/db/schema/source-refunds';
import { topups } from '@/db/schema/topups';
import { type Actor, systemActor } from '@/lib/access/actor';
import type { ReversalEvidence } from '@/lib/payments/providers/provider';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { approveRefund } from '@/lib/payments/reversals/source-refunds/create';
import type { SourceRefund } from '@/lib/payments/reversals/source-refunds/postings';
import { declineRefund, requestRefund, withdrawRefund } from '@/lib/payments/reversals/source-refunds/request';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { makeStaff } from './make-staff';
import { makeTopup } from './make-topup';
import { makeUser } from './make-user';

const actor = systemActor('Tests', 'script');

/** Creates a top-up in test mode whose payment is credited: $100.00 by Stripe by default. @returns its id */
export async function makePaidTopup(
  buyer: { userId: string },
  values: Partial<typeof topups.$inferInsert> = {},
): Promise<string> {
  const id = await makeTopup(buyer, values);
  const topup = await topupRow(id);
  await settleTopup(actor, id, {
    about: 'payment',
    outcome: 'paid',
    providerReference: `cs_${id}`,
    paymentReference: `pi_${id}`,
    topupId: id,
    mode: topup.mode,
    amountMinor: topup.chargeAmountMinor,
    currency: topup.chargeCurrency,
  });
  return id;
}

/** Evidence of the provider about a refund. */
export const refundEvidence = (
  refund: SourceRefund,
  money: ReversalEvidence['money'],
  more: Partial<ReversalEvidence> = {},
): ReversalEvidence => ({
  about: 'reversal',
  kind: 'refund',
  reference: `re_${refund.id}`,
  paymentReference: refund.paymentReference,
  topupId: refund.topupId,
  mode: refund.mode,
  amountMinor: refund.chargeMinor ?? 0,
  currency: refund.chargeCurrency,
  money,
  outcome: null,
  refundId: refund.id,
  ...more,
});

export const report = (evidence: ReversalEvidence) => reverseTopup(actor, evidence.topupId ?? '', evidence);

/** `sent`: in progress at the provider, which has taken the money; `returned`: failed after that. */
type Stage = SourceRefundState | 'sent' | 'returned';

/** Creates a refund of a buyer's request in a stage. No provider is configured: its answers are reported. */
export async function makeSourceRefund(
  stage: Stage,
  { amountCents = 4_000, topup = {} }: { amountCents?: number; topup?: Partial<typeof topups.$inferInsert> } = {},
): Promise<{ refund: SourceRefund; buyer: Actor; staff: Actor }> {
  const [buyer, staff] = [await makeUser(), await makeStaff('ManageWallets')];
  const topupId = await makePaidTopup(buyer, topup);
  const { id } = await requestRefund(buyer, { topupId, amountCents, reason: 'No longer needed' });
  const made = async () => ({ refund: await refundRow(id), buyer, staff });
  if (stage === 'requested') return made();
  if (stage === 'withdrawn') {
    await withdrawRefund(buyer, id);
    return made();
  }
  if (stage === 'declined') {
    await declineRefund(staff, id, { reason: 'The offer excludes it.' });
    return made();
  }
  await approveRefund(staff, id);
  const started = await refundRow(id);
  if (stage === 'sent' || stage === 'returned') await report(refundEvidence(started, 'taken', { isPending: true }));
  if (stage === 'succeeded') await report(refundEvidence(started, 'taken'));
  if (stage === 'failed' || stage === 'returned') await report(refundEvidence(started, 'returned'));
  return made();
}

export async function refundRow(id: string): Promise<SourceRefund> {
  const [row] = await db().select().from(sourceRefunds).where(eq(sourceRefunds.id, id));
  if (!row) throw new Error(`No refund ${id}`);
  return row;
}

async function topupRow(id: string): Promise<typeof topups.$inferSelect> {
  const [row] = await db().select().from(topups).where(eq(topups.id, id));
  if (!row) throw new Error(`No top-up ${id}`);
  return row;
}
