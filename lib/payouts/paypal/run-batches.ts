import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { providerModes } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import { walletCurrency } from '@/lib/money';
import { type PayoutBatchEvidence, type PayoutRail, PayoutRefusal } from '@/lib/payments/providers/provider';
import { failureReason } from '@/lib/payments/providers/provider-calls';
import { toBankText } from '@/lib/payouts/bank/batch';
import type { Batch } from '@/lib/payouts/batches';
import { changePayout, movePayout } from '@/lib/payouts/move-payout';
import { getNetCents, type Payout } from '@/lib/payouts/postings';
import { recordAudit } from '@/lib/platform/audit/record';
import { dayMs } from '@/lib/platform/durations';
import { getBackoffSeconds, isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { applyPayoutEvidence } from './apply-evidence';
import { openPayoutRail, openReceivers } from './rail';

const maxPerRun = 50;
/** Lease of a batch, during which other instances skip it; longer than its requests take. */
const leaseSeconds = 180;
/** The wait after a failure. */
const retryBackoff = { firstSeconds: 30, maxSeconds: 60 * 60 };
/** The wait between two readings while payouts are not decided. Unclaimed ones stay so for up to 30 days. */
const readBackoff = { firstSeconds: 5, maxSeconds: 2 * 60 * 60 };
/** The wait between readings of a decided batch, whose payouts can still be returned. */
const watchSeconds = 24 * 60 * 60;
/** After this time a batch is read only when staff or an event ask for it, and staff mark what is still open. */
const watchDays = 45;
const isWatchOver = ({ createdAt }: Batch): boolean => Date.now() - createdAt.getTime() > watchDays * dayMs;
/**
 * PayPal recognizes a repeated request for 30 days. Later it would pay again, so a batch without an answer is not sent
 * any more well before.
 */
const maxSendDays = 20;
export const isTooOldToSend = ({ createdAt }: Pick<Batch, 'createdAt'>): boolean =>
  Date.now() - createdAt.getTime() > maxSendDays * dayMs;

const actor = () => systemActor(systemActors.paypalPayouts, 'job');
const payerSchema = z.object({ clientId: z.string() });
const modeSchema = z.enum(providerModes);

/**
 * Sends the batches of PayPal payouts that are due, and reads what became of the payouts of earlier ones. Several
 * instances may run concurrently: each leases other batches, and a batch that is sent twice is created once by PayPal.
 * @returns the number of batches that were sent, read and failed
 */
export async function runPayoutBatches(): Promise<{ sent: number; read: number; failed: number }> {
  const counts = { sent: 0, read: 0, failed: 0 };
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    const lease = await leaseDue();
    if (!lease) break;
    try {
      counts[await runBatch(lease)] += 1;
    } catch (thrown) {
      counts.failed += 1;
      log().warn({ batch: lease.id, err: thrown }, 'A batch of PayPal payouts could not be processed.');
      await finish(lease, {
        error: failureReason(thrown),
        seconds: isUnreadable(lease) ? null : getBackoffSeconds(lease.attempts, retryBackoff),
        attempts: lease.attempts + 1,
      });
    }
  }
  return counts;
}

async function leaseDue(): Promise<Batch | undefined> {
  const { id, nextActionAt: dueAt } = payoutBatches;
  const [batch] = await db()
    .update(payoutBatches)
    // In milliseconds, which a Date of JavaScript holds exactly.
    .set({ nextActionAt: sql`date_trunc('milliseconds', ${secondsFromNow(leaseSeconds)})` })
    .where(isDue({ id, dueAt, where: undefined, limit: 1 }))
    .returning();
  return batch;
}

/** Checks whether a batch that could not be read is not read again. One without an answer has its own limit. */
const isUnreadable = (batch: Batch): boolean => batch.providerReference !== null && isWatchOver(batch);

const runBatch = (batch: Batch): Promise<'sent' | 'read'> =>
  batch.providerReference === null ? send(batch) : read(batch, batch.providerReference);

const isAt = (leasedUntil: Date | null) =>
  sql`${payoutBatches.nextActionAt} = ${leasedUntil?.toISOString()}::timestamptz`;

/** Checks whether a batch has no answer, and no later attempt began or is due. */
const isStillLeased = ({ id, nextActionAt }: Batch) =>
  and(eq(payoutBatches.id, id), isAt(nextActionAt), isNull(payoutBatches.providerReference));

const isHeld = async (batch: Batch): Promise<boolean> => (await db().$count(payoutBatches, isStillLeased(batch))) > 0;

type Next = { error: string; attempts: number /** Until the next action; null for none. */; seconds: number | null };

/** Ends a lease. An event that made the batch due in the meantime keeps it due. */
async function finish({ id, nextActionAt }: Batch, { error, attempts, seconds }: Next): Promise<void> {
  await db()
    .update(payoutBatches)
    .set({
      error,
      attempts,
      nextActionAt: sql`case when ${isAt(nextActionAt)}
        then ${seconds === null ? sql`null` : secondsFromNow(seconds)} else ${payoutBatches.nextActionAt} end`,
    })
    .where(eq(payoutBatches.id, id));
}

async function send(batch: Batch): Promise<'sent'> {
  const rows = (await listPayoutsOf(batch.id)).filter(isInBatch);
  if (!(await isSendable(batch, rows))) return 'sent';
  const rail = await openPayoutRail(modeSchema.parse(batch.mode));
  requireSameAccount(batch, rail);
  const [{ siteName }, receivers] = await Promise.all([getBranding(), openReceivers(db(), rows)]);
  // Before the request: if its answer is lost, the batch may exist, and a later refusal proves nothing. Only the attempt
  // that sets it is the first one.
  const [first] = await db()
    .update(payoutBatches)
    .set({ isUncertain: true })
    .where(and(isStillLeased(batch), eq(payoutBatches.isUncertain, false)))
    .returning({ id: payoutBatches.id });
  // A process that was suspended: another one may have recorded a refusal, and the batch may have other payouts now.
  if (!first && !(await isHeld(batch))) return 'sent';
  try {
    const reference = await rail.sendBatch({
      id: batch.id,
      revision: batch.revision,
      subject: `Payout from ${toBankText(siteName, 100) || 'LinkMarket'}`,
      payouts: rows.map((payout) => ({
        id: payout.id,
        amountMinor: getNetCents(payout),
        currency: walletCurrency,
        receiver: receivers.get(payout.id) ?? '',
      })),
    });
    await db()
      .update(payoutBatches)
      .set({ providerReference: reference, isUncertain: false })
      .where(eq(payoutBatches.id, batch.id));
    await finish(batch, { error: '', attempts: 0, seconds: readBackoff.firstSeconds });
  } catch (thrown) {
    if (!(thrown instanceof PayoutRefusal) || !first) throw thrown;
    if (thrown.isFinal) await recordRefusal(batch, thrown);
    else {
      await db().update(payoutBatches).set({ isUncertain: false }).where(isStillLeased(batch));
      throw thrown;
    }
  }
  return 'sent';
}

const listPayoutsOf = (batchId: string): Promise<Payout[]> =>
  db().select().from(payouts).where(eq(payouts.batchId, batchId)).orderBy(asc(payouts.id));

/** Checks whether the batch may be sent: never when it is too old, or staff have decided its payouts. */
async function isSendable(batch: Batch, rows: readonly Payout[]): Promise<boolean> {
  const isDecided = rows.some(({ state }) => state !== 'sent');
  if (!isDecided && !isTooOldToSend(batch)) return true;
  const text = 'PayPal never confirmed this batch. Check at PayPal whether it exists, and mark its payouts manually.';
  await finish(batch, { error: isDecided ? '' : text, attempts: batch.attempts, seconds: null });
  return false;
}

/** @throws AppError conflict while another app at PayPal is configured, which does not recognize a repeated request */
function requireSameAccount({ payer }: Batch, { account }: PayoutRail): void {
  if (payerSchema.parse(payer).clientId === account) return;
  throw new AppError('conflict', 'The client ID of PayPal was changed. Enter the earlier one to send this batch.');
}

/** What sellers read. The provider's reason is for staff. */
const refusedText = 'PayPal did not accept the payout.';
const rejectedText = `${refusedText} Check the address of your PayPal account under payout method, then request the payout again.`;

/** `providerStatus` of a payout that PayPal rejected together with its batch, which is then sent without it. */
const rejectedStatus = 'REJECTED';
const isInBatch = ({ providerStatus }: Payout): boolean => providerStatus !== rejectedStatus;

/**
 * Fails the payouts that PayPal refused a batch for, or all if it named none. The batch is then sent again without them.
 * In one transaction, so that a refused payout is never sent again.
 * @throws PayoutRefusal the refusal, when a later attempt began: PayPal may accept that one
 */
async function recordRefusal(batch: Batch, refusal: PayoutRefusal): Promise<void> {
  const who = actor();
  const { reason, payoutIds } = refusal;
  await db().transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(payouts)
      .where(and(eq(payouts.batchId, batch.id), eq(payouts.state, 'sent')))
      .orderBy(asc(payouts.id))
      .for('no key update');
    const named = rows.filter(({ id }) => payoutIds.includes(id));
    const failed = named.length > 0 ? named : rows;
    const isOver = failed.length === rows.length;
    const [refused] = await tx
      .update(payoutBatches)
      .set({
        error: reason,
        isUncertain: false,
        nextActionAt: isOver ? null : sql`now()`,
        revision: isOver ? batch.revision : batch.revision + 1,
      })
      .where(isStillLeased(batch))
      .returning({ id: payoutBatches.id });
    if (!refused) throw refusal;
    await recordAudit(tx, who, {
      action: 'payout_batch.refused',
      details: `PayPal refused a batch of payouts: ${reason}${isOver ? '' : `. It is sent again without ${failed.length} of ${rows.length}.`}`,
      entityType: 'payout_batch',
      entityId: batch.id,
    });
    const change = isOver ? { reason: refusedText } : { reason: rejectedText, providerStatus: rejectedStatus };
    for (const payout of failed)
      await movePayout(tx, who, payout, { to: 'failed', what: `was refused by PayPal: ${reason}`, change });
  });
}

async function read(batch: Batch, reference: string): Promise<'read'> {
  const rail = await openPayoutRail(modeSchema.parse(batch.mode));
  const evidence = await rail.findBatch(reference);
  if (evidence.batchId !== batch.id) {
    throw new AppError('conflict', `PayPal’s batch ${reference} is not this one. Check it at PayPal.`);
  }
  const errors = await applyAll(batch, evidence);
  const open = (await listPayoutsOf(batch.id)).filter(({ state }) => state === 'sent');
  const seconds = open.length > 0 ? getBackoffSeconds(batch.attempts, readBackoff) : watchSeconds;
  await finish(batch, {
    error: errors.join(' ').slice(0, 300),
    // Counts on while payouts are open.
    attempts: open.length > 0 ? batch.attempts + 1 : 0,
    seconds: isWatchOver(batch) ? null : seconds,
  });
  return 'read';
}

const deniedText = 'PayPal denied the batch. Check the balance and the notices at PayPal.';

/** Returns the problems of the batch, for staff. */
async function applyAll(batch: Batch, evidence: PayoutBatchEvidence): Promise<string[]> {
  const isDenied = evidence.outcome === 'denied';
  const errors = isDenied ? [deniedText] : [];
  for (const { id } of (await listPayoutsOf(batch.id)).filter(isInBatch)) {
    const found = evidence.payouts.find(({ payoutId }) => payoutId === id);
    try {
      // PayPal need not list the payouts of a denied batch, and executes none of them.
      if (isDenied && (found === undefined || found.outcome === 'open')) await failDenied(id);
      else if (found) await applyPayoutEvidence(actor(), id, found);
      else if (evidence.outcome === 'done') errors.push(`PayPal does not list the payout ${id}.`);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      errors.push(thrown.message);
    }
  }
  return errors;
}

const failDenied = (id: string): Promise<Payout> =>
  changePayout(id, async (tx, payout) =>
    payout.state === 'sent'
      ? movePayout(tx, actor(), payout, {
          to: 'failed',
          what: 'failed: PayPal denied its batch',
          change: { reason: refusedText },
        })
      : payout,
  );
