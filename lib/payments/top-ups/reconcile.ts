import { and, eq, inArray, isNull, lt, notInArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { openProviderOf } from '@/lib/payments/providers/open-provider';
import { type DueCounts, type DueResult, processDue } from '@/lib/payments/providers/process-due';
import { isOutage, type PaymentEvidence } from '@/lib/payments/providers/provider';
import { failureReason } from '@/lib/payments/providers/provider-calls';
import { recordAudit } from '@/lib/platform/audit/record';
import { getBackoffSeconds, isDue, secondsFromNow } from '@/lib/platform/leases';
import { cancelCheckout, retrieveCheckout } from './checkout';
import { refusalReason } from './payment-issues';
import { settleTopup } from './settle';

type Topup = typeof topups.$inferSelect;
/** Lease of a top-up, during which other instances skip it. */
const leaseSeconds = 60;
/** The first check is two minutes after the start; the following intervals double up to one hour. */
const backoff = { firstSeconds: 60, maxSeconds: 60 * 60 };
/** A pending payment (a bank transfer, an eCheck) may take days; after this time staff must check it. */
const maxOpenDays = 30;

/**
 * Retrieves the status of top-ups whose outcome is unknown: the webhook was lost, the buyer did not return, or the
 * process ended. Expired ones are closed at the provider, so that they cannot be paid by mistake. Several instances may
 * run concurrently: each leases other rows (SKIP LOCKED), and no row is locked during a request to a provider. Top-ups
 * of an unavailable provider stay due.
 * @returns the number of top-ups that were settled, are still pending, and could not be checked
 */
export const reconcileTopups = (): Promise<DueCounts> => processDue(leaseDue, reconcileTopup);

/**
 * Leases the top-ups that are due longest. Their next check is postponed before any request, so that a crash loses
 * none.
 */
async function leaseDue(down: readonly string[], limit: number): Promise<Topup[]> {
  const due = isDue({
    id: topups.id,
    dueAt: topups.nextCheckAt,
    where: and(
      inArray(topups.status, ['created', 'pending']),
      notInArray(sql`${topups.provider} || ':' || ${topups.mode}`, [...down]),
    ),
    limit,
  });
  return db()
    .update(topups)
    .set({ nextCheckAt: secondsFromNow(leaseSeconds) })
    .where(due)
    .returning();
}

async function reconcileTopup(topup: Topup): Promise<DueResult> {
  const actor = systemActor(systemActors.paymentCheck, 'job');
  try {
    const { providerReference } = topup;
    const evidence = providerReference === null ? null : await retrieveOrClose({ ...topup, providerReference });
    const settled = evidence ? await settleTopup(actor, topup.id, evidence) : await expireWithoutCheckout(actor, topup);
    if (settled.status !== 'created' && settled.status !== 'pending') return { result: 'settled', isDown: false };
    const refusal = evidence && evidence.outcome !== 'paid' ? evidence.refusal : undefined;
    const needsPayer = refusal?.kind === 'payer_action';
    await scheduleNextCheck(topup, refusal && !needsPayer ? refusalReason(topup.provider, refusal) : null, needsPayer);
    return { result: 'waiting', isDown: false };
  } catch (thrown) {
    const isDown = isOutage(thrown);
    const what = isDown ? 'The provider could not be queried' : 'It could not be settled';
    await scheduleNextCheck(topup, `${what}: ${failureReason(thrown)}`);
    return { result: 'failed', isDown };
  }
}

async function retrieveOrClose(topup: Topup & { providerReference: string }): Promise<PaymentEvidence> {
  const provider = await openProviderOf(topup);
  const evidence = await retrieveCheckout(topup, topup.providerReference, provider);
  if (evidence.outcome !== 'pending' || topup.expiresAt.getTime() > Date.now()) return evidence;
  // Closing would try to collect the payment again.
  if (evidence.refusal?.kind === 'payer_action') return { ...evidence, outcome: 'expired' };
  // A payment in progress stays pending; an unused checkout is closed.
  const closed = await cancelCheckout(topup, topup.providerReference, provider);
  // The buyer did not cancel; the checkout expired.
  return closed.outcome === 'cancelled' ? { ...closed, outcome: 'expired' } : closed;
}

/** Shown to the admin among the open top-ups, which are no longer checked automatically. */
const stillOpen = `Still open at the provider after ${maxOpenDays} days and no longer checked. Check it at the provider.`;

/**
 * @param reason why it could not be checked or settled; null while it only waits
 * @param needsPayer another collection before the buyer acts would be refused again
 */
async function scheduleNextCheck(topup: Topup, reason: string | null, needsPayer = false): Promise<void> {
  const next = secondsFromNow(getBackoffSeconds(topup.checks, backoff));
  const isGivenUp = Date.now() - topup.createdAt.getTime() > maxOpenDays * 24 * 60 * 60 * 1000;
  await db()
    .update(topups)
    .set({
      checks: topup.checks + 1,
      nextCheckAt: isGivenUp ? null : sql`greatest(${next}, ${needsPayer ? topup.expiresAt.toISOString() : null})`,
      reason: isGivenUp ? (reason ?? stillOpen) : reason,
    })
    .where(and(eq(topups.id, topup.id), sql`${topups.status} in ('created', 'pending')`));
}

/**
 * Expires an intent without a known checkout: the process ended before the provider's response was stored, so the buyer
 * was never redirected. A payment is still credited if one arrives.
 * @returns the top-up, unchanged while it has not expired or when it was settled concurrently
 */
async function expireWithoutCheckout(actor: AnyActor, topup: Topup): Promise<Topup> {
  return db().transaction(async (tx) => {
    const [expired] = await tx
      .update(topups)
      .set({ status: 'expired', reason: 'No checkout is known for it.', nextCheckAt: null })
      .where(
        and(
          eq(topups.id, topup.id),
          eq(topups.status, 'created'),
          isNull(topups.providerReference),
          lt(topups.expiresAt, sql`now()`),
        ),
      )
      .returning();
    if (!expired) return topup;
    await recordAudit(tx, actor, {
      action: 'topup.expired',
      details: 'The top-up expired before a checkout was known.',
      entityType: 'topup',
      entityId: topup.id,
      before: { status: topup.status },
      after: { status: 'expired' },
    });
    return expired;
  });
}
