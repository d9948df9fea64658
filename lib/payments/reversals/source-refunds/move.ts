import { eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { type SourceRefundState, sourceRefunds } from '@/db/schema/source-refunds';
import { topups } from '@/db/schema/topups';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { formatMoney } from '@/lib/money';
import type { Topup } from '@/lib/payments/top-ups/find-topup';
import { recordAudit } from '@/lib/platform/audit/record';
import { announceRefund } from './announce';
import type { SourceRefund } from './postings';

/** The states that can follow each state. A refund can fail after the provider reported its success. */
const nextStates: Readonly<Record<SourceRefundState, readonly SourceRefundState[]>> = {
  requested: ['processing', 'declined', 'withdrawn'],
  processing: ['succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
  declined: [],
  withdrawn: [],
};

type Step = {
  to: SourceRefundState;
  /** A part of the audit log's sentence after the amount: "succeeded". */
  what: string;
  /** What the step stores besides the state. */
  change?: Partial<
    Pick<
      SourceRefund,
      | 'money'
      | 'chargeMinor'
      | 'approvedBy'
      | 'secondApprovedBy'
      | 'declinedBy'
      | 'answer'
      | 'error'
      | 'providerReference'
      | 'attempts'
    >
  >;
};

export const refundNotFoundError = () => new AppError('not_found', 'This refund does not exist.');

/**
 * Moves a locked refund to its next state, with its line in the audit log and its news. The caller posts the money
 * afterwards, in the same transaction. It is the only function that changes the state of a refund.
 * @throws AppError conflict for a state that cannot follow
 */
export async function moveRefund(
  tx: Executor,
  actor: AnyActor,
  refund: SourceRefund,
  step: Step,
): Promise<SourceRefund> {
  const { to, what, change } = step;
  if (!nextStates[refund.state].includes(to)) {
    throw new AppError('conflict', `This refund is ${refund.state} and cannot become ${to}. Reload the page.`);
  }
  const [after] = await tx
    .update(sourceRefunds)
    .set({
      ...change,
      state: to,
      ...(to === 'processing' ? { approvedAt: sql`now()` } : { nextActionAt: null, endedAt: sql`now()` }),
      version: sql`${sourceRefunds.version} + 1`,
    })
    .where(eq(sourceRefunds.id, refund.id))
    .returning();
  if (!after) throw refundNotFoundError();
  await auditRefund(tx, actor, after, { what, before: { state: refund.state }, after: { state: to, ...change } });
  await announceRefund(tx, actor, after);
  return after;
}

/** Records a step of a refund in the audit log. */
export const auditRefund = (
  tx: Executor,
  actor: AnyActor,
  refund: SourceRefund,
  { what, before, after }: { what: string; before?: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> =>
  recordAudit(tx, actor, {
    action: `source_refund.${refund.state}`,
    details: `The refund of ${formatMoney(refund.amountCents, refund.currency)} to the payment method ${what.replace(/\.$/, '')}.`,
    entityType: 'source_refund',
    entityId: refund.id,
    amountCents: refund.amountCents,
    ...(before && { before }),
    after,
  });

/**
 * Runs a change of one refund in a transaction of its own. Locks the top-up first, like every booking of its payments,
 * and then the refund.
 * @throws AppError not_found
 */
export const changeRefund = <T>(
  id: string,
  change: (tx: Executor, refund: SourceRefund, topup: Topup) => Promise<T>,
): Promise<T> => db().transaction((tx) => changeRefundIn(tx, id, change));

/** Runs `changeRefund` in the caller's transaction. */
export async function changeRefundIn<T>(
  tx: Executor,
  id: string,
  change: (tx: Executor, refund: SourceRefund, topup: Topup) => Promise<T>,
): Promise<T> {
  const [named] = await tx
    .select({ topupId: sourceRefunds.topupId })
    .from(sourceRefunds)
    .where(eq(sourceRefunds.id, id));
  if (!named) throw refundNotFoundError();
  const [topup] = await tx.select().from(topups).where(eq(topups.id, named.topupId)).for('no key update');
  const [refund] = await tx.select().from(sourceRefunds).where(eq(sourceRefunds.id, id)).for('no key update');
  if (!refund || !topup) throw refundNotFoundError();
  return change(tx, refund, topup);
}
