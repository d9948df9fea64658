import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { type AnyActor, systemActor } from '../../access/actor';
import { recordAudit } from '../../platform/audit/record';
import { refusalReason } from '../config/find-troubles';
import { failureReason } from '../providers/failure-reason';
import { isOutage, type PaymentEvidence } from '../providers/provider';
import { askProvider, closeCheckout } from './ask-provider';
import { settleTopup } from './settle';

type Topup = typeof topups.$inferSelect;
type Result = 'settled' | 'waiting' | 'failed';

/** At most so many a run, and so many at once: a provider that hangs must not hold the job for ever. */
const mostAtOnce = 4;
const mostPerRun = 100;
/** A provider that failed so often one after the other is left alone until the next run; the others go on. */
const mostOutages = 3;
/** How long another instance leaves a top-up alone that this one took. */
const leaseSeconds = 60;
/** The first question comes two minutes after the start, the next ones ever later, up to an hour apart. */
const firstWaitSeconds = 60;
const longestWaitSeconds = 60 * 60;
/** Promised money (a bank transfer, an eCheck) may take days; then somebody has to look. */
const givenUpAfterDays = 30;

/**
 * Asks the providers about the top-ups that nobody told us the end of: the webhook got lost, the buyer did not come
 * back, the process ended in between. Those past their time are closed at the provider, so that they cannot be paid by
 * mistake. Any number of instances may run it at once: each takes other rows (SKIP LOCKED), and no provider is asked
 * while a row is locked. What belongs to a provider that is down stays due.
 * @returns how many top-ups came to an end, still wait, and could not be asked for
 */
export async function reconcileTopups(): Promise<{ settled: number; waiting: number; failed: number }> {
  const counts = { settled: 0, waiting: 0, failed: 0 };
  const outages = new Map<string, number>();
  for (let taken = 0; taken < mostPerRun; taken += mostAtOnce) {
    const down = [...outages].filter(([, count]) => count >= mostOutages).map(([place]) => place);
    const due = await takeDue(down);
    for (const { topup, result, isDown } of await Promise.all(due.map(checkOne))) {
      counts[result] += 1;
      const place = placeOf(topup);
      outages.set(place, isDown ? (outages.get(place) ?? 0) + 1 : 0);
    }
    if (due.length < mostAtOnce) break;
  }
  return counts;
}

/** A provider's modes are different hosts and keys. */
const placeOf = ({ provider, mode }: Topup) => `${provider}:${mode}`;

const idRow = z.object({ id: z.string() });

/** Takes the longest due, by putting their next turn off before anything is asked: a crash loses none of them. */
async function takeDue(down: readonly string[]): Promise<Topup[]> {
  const isDown = sql.join(
    down.map((place) => sql`${place}`),
    sql`, `,
  );
  const rows = await db().execute(sql`
    update public.topups set next_check_at = now() + make_interval(secs => ${leaseSeconds})
    where id in (
      select id from public.topups where next_check_at <= now() and status in ('created', 'pending')
        and provider || ':' || mode <> all (array[${isDown}]::text[])
      order by next_check_at limit ${mostAtOnce} for no key update skip locked
    ) returning id`);
  const ids = z.array(idRow).parse(rows);
  const found = await Promise.all(ids.map(({ id }) => db().select().from(topups).where(eq(topups.id, id))));
  return found.flat();
}

async function checkOne(topup: Topup): Promise<{ topup: Topup; result: Result; isDown: boolean }> {
  const actor = systemActor('Payment check', 'job');
  try {
    const { providerReference } = topup;
    const evidence = providerReference === null ? null : await ask({ ...topup, providerReference });
    const settled = evidence ? await settleTopup(actor, topup.id, evidence) : await expireUnmade(actor, topup);
    if (settled.status !== 'created' && settled.status !== 'pending')
      return { topup, result: 'settled', isDown: false };
    const refusal = evidence && evidence.outcome !== 'paid' ? evidence.refusal : undefined;
    const needsPayer = refusal?.kind === 'payer_action';
    await putOff(topup, refusal && !needsPayer ? refusalReason(topup.provider, refusal) : null, needsPayer);
    return { topup, result: 'waiting', isDown: false };
  } catch (thrown) {
    const isDown = isOutage(thrown);
    const what = isDown ? 'The provider could not be asked' : 'It could not be settled';
    await putOff(topup, `${what}: ${failureReason(thrown)}`);
    return { topup, result: 'failed', isDown };
  }
}

async function ask(topup: Topup & { providerReference: string }): Promise<PaymentEvidence> {
  const evidence = await askProvider(topup, topup.providerReference);
  if (evidence.outcome !== 'pending' || topup.expiresAt.getTime() > Date.now()) return evidence;
  // Closing would try to collect it once more.
  if (evidence.refusal?.kind === 'payer_action') return { ...evidence, outcome: 'expired' };
  // Money that is promised already stays pending; a checkout that nobody used is closed.
  const closed = await closeCheckout(topup, topup.providerReference);
  // Nobody chose to cancel: its time ran out.
  return closed.outcome === 'cancelled' ? { ...closed, outcome: 'expired' } : closed;
}

/** For the admin who sees it among the open top-ups: from here on only a person asks. */
const stillOpen = `Still open at the provider after ${givenUpAfterDays} days. It is not asked about again; look there.`;

/**
 * @param reason why it could not be asked about or settled; null when it only waits
 * @param needsPayer collecting it again before its buyer acted would be refused again
 */
async function putOff(topup: Topup, reason: string | null, needsPayer = false): Promise<void> {
  const wait = Math.min(firstWaitSeconds * 2 ** Math.min(topup.checks, 10), longestWaitSeconds);
  const isGivenUp = Date.now() - topup.createdAt.getTime() > givenUpAfterDays * 24 * 60 * 60 * 1000;
  await db()
    .update(topups)
    .set({
      checks: topup.checks + 1,
      nextCheckAt: isGivenUp
        ? null
        : sql`greatest(now() + make_interval(secs => ${wait}), ${needsPayer ? topup.expiresAt.toISOString() : null})`,
      reason: isGivenUp ? (reason ?? stillOpen) : reason,
    })
    .where(and(eq(topups.id, topup.id), sql`${topups.status} in ('created', 'pending')`));
}

/**
 * Ends an intent whose time is over and of which no checkout is known: the process ended before the provider's answer
 * was stored, so that its buyer was never sent to pay. Should it be paid nevertheless, that is still credited.
 * @returns it as it now stands, unchanged while it has time or when it was settled meanwhile
 */
async function expireUnmade(actor: AnyActor, topup: Topup): Promise<Topup> {
  return db().transaction(async (tx) => {
    const [expired] = await tx
      .update(topups)
      .set({ status: 'expired', reason: 'No checkout of it is known.', nextCheckAt: null })
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
      details: 'The top-up ran out before a checkout of it was known.',
      entityType: 'topup',
      entityId: topup.id,
      before: { status: topup.status },
      after: { status: 'expired' },
    });
    return expired;
  });
}
