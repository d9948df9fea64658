import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import {
  type LinkStanding,
  type LinkVerdict,
  linkChecks,
  linkDigests,
  linkWatches,
  type WatchEndReason,
} from '@/db/schema/links';
import { dayMs, hourMs } from '@/lib/platform/durations';

type Watch = typeof linkWatches.$inferSelect;

/** The link of an order: where it must be, and where it leads. */
export type WatchedLink = Pick<
  Watch,
  'orderId' | 'buyerId' | 'projectId' | 'sellerId' | 'siteUrl' | 'pageUrl' | 'targetUrl' | 'anchor' | 'rel'
>;

/** The newest verdict of a watch, or that its link was lost; null before the first check. */
export const linkStanding = sql<LinkStanding | null>`case when ${linkWatches.endReason} = 'lost' then 'lost' else ${linkWatches.verdict} end`;

/** The columns of a watch before its first check. */
const unchecked = {
  verdict: null,
  checkedAt: null,
  notOkSince: null,
  brokenSince: null,
  brokenConfirmedAt: null,
  repairDueAt: null,
  remindedAt: null,
  unknownSince: null,
  retries: 0,
  endedAt: null,
  endReason: null,
};

/** Starts the watch of a link, or starts it again with another page. The first check is due at once. */
export async function startWatch(tx: Executor, link: WatchedLink): Promise<void> {
  const begun = {
    ...link,
    ...unchecked,
    host: new URL(link.pageUrl).hostname,
    startedAt: sql`now()`,
    nextCheckAt: sql`now()`,
    nextCause: 'delivery' as const,
  };
  await tx
    .insert(linkWatches)
    .values(begun)
    .onConflictDoUpdate({
      target: linkWatches.orderId,
      set: { ...begun, version: sql`${linkWatches.version} + 1`, updatedAt: sql`now()` },
    });
  await tx
    .insert(linkDigests)
    .values({ accountId: link.buyerId, dueAt: sql`now() + interval '7 days'` })
    .onConflictDoNothing();
}

/** Ends the watch of an order's link, if it has one: it is checked no more. The newest verdict stays. */
export async function endWatch(tx: Executor, orderId: number, endReason: WatchEndReason): Promise<void> {
  await tx
    .update(linkWatches)
    .set({ endedAt: sql`coalesce(${linkWatches.endedAt}, now())`, endReason, nextCheckAt: null, repairDueAt: null })
    .where(eq(linkWatches.orderId, orderId));
}

/**
 * Accepts the `rel` and the text of a link whose newest check found others than ordered, because its delivery was
 * approved: later checks compare with them. The next check is due at once.
 */
export async function acceptLink(tx: Executor, orderId: number): Promise<void> {
  const [newest] = await tx
    .select({ reasons: linkChecks.reasons, anchor: linkChecks.anchor })
    .from(linkChecks)
    .where(eq(linkChecks.orderId, orderId))
    .orderBy(desc(linkChecks.id))
    .limit(1);
  if (!newest) return;
  const { reasons, anchor } = newest;
  await tx
    .update(linkWatches)
    .set({
      ...(reasons.includes('rel_changed') && { rel: 'any' as const }),
      ...(reasons.includes('anchor_changed') && { anchor }),
      nextCheckAt: sql`now()`,
      version: sql`${linkWatches.version} + 1`,
    })
    .where(and(eq(linkWatches.orderId, orderId), eq(linkWatches.verdict, 'changed'), isNull(linkWatches.endedAt)));
}

/** The days after the start at which a link that is in order is checked; weekly afterwards. */
const firstDays = [1, 3, 7];
/** A second broken result confirms the first after this time. */
const confirmMs = dayMs;

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

/**
 * Returns when a link is checked next: on days 1, 3 and 7 after the start and then weekly while it is in order, daily
 * while it is not or the result is unknown, and at the end of the guarantee and of the time for a repair. The time within
 * the hour, or within the day for a weekly check, is random, so that the seller cannot foresee it.
 * @param endsAt when the watch ends
 */
export function getNextCheckAt(
  { startedAt, repairDueAt }: Pick<Watch, 'startedAt' | 'repairDueAt'>,
  verdict: LinkVerdict,
  endsAt: Date,
  now: Date,
): Date {
  const regular = verdict === 'ok' ? getRegularCheck(startedAt, now) : later(now, dayMs + Math.random() * hourMs);
  const ends = [endsAt, repairDueAt].filter((at): at is Date => at !== null && at > now);
  return new Date(Math.min(regular.getTime(), ...ends.map((at) => at.getTime())));
}

function getRegularCheck(startedAt: Date, now: Date): Date {
  const first = firstDays.map((day) => later(startedAt, day * dayMs)).find((at) => at > now);
  if (first) return later(first, Math.random() * hourMs);
  const weeks = Math.max(2, Math.floor((now.getTime() - startedAt.getTime()) / (7 * dayMs)) + 1);
  return later(startedAt, weeks * 7 * dayMs + Math.random() * dayMs);
}

/** What a check changes about a link. */
export type LinkChange = 'changed' | 'broken' | 'repaired' | 'repair_due' | 'lost';

type Findings = Pick<
  Watch,
  | 'verdict'
  | 'checkedAt'
  | 'notOkSince'
  | 'brokenSince'
  | 'brokenConfirmedAt'
  | 'repairDueAt'
  | 'remindedAt'
  | 'unknownSince'
>;

/**
 * Adds the verdict of a check to what is known about a link. A link is broken only when two results a day apart say so,
 * and lost only when a later one still says so at the end of the time for a repair. Unknown confirms nothing and clears
 * nothing.
 * @param repairDays days for the repair; null if no placement depends on the link
 * @returns the findings after the check, and what changed for both sides; null if nothing did
 */
export function addVerdict(
  before: Findings,
  verdict: LinkVerdict,
  repairDays: number | null,
  now: Date,
): { findings: Findings; change: LinkChange | null } {
  const findings = { ...before, verdict, checkedAt: now };
  switch (verdict) {
    case 'unknown':
      return { findings: { ...findings, unknownSince: before.unknownSince ?? now }, change: null };
    case 'ok': {
      const change = before.brokenConfirmedAt || wasChanged(before) ? 'repaired' : null;
      return { findings: { ...findings, ...inOrder, unknownSince: null }, change };
    }
    case 'changed': {
      const cleared = { ...inOrder, notOkSince: before.notOkSince ?? now, unknownSince: null };
      return { findings: { ...findings, ...cleared }, change: wasChanged(before) ? null : 'changed' };
    }
    case 'broken':
      return addBroken(findings, before, repairDays, now);
  }
}

/** Checks whether both sides know that the link changed: nothing after that was confirmed. */
const wasChanged = ({ notOkSince, brokenSince, brokenConfirmedAt }: Findings): boolean =>
  notOkSince !== null && (brokenSince === null || (notOkSince < brokenSince && brokenConfirmedAt === null));

const inOrder = { notOkSince: null, brokenSince: null, brokenConfirmedAt: null, repairDueAt: null, remindedAt: null };

const reminderMs = 2 * dayMs;

function addBroken(
  findings: Findings,
  { notOkSince, brokenSince, brokenConfirmedAt, repairDueAt, remindedAt }: Findings,
  repairDays: number | null,
  now: Date,
): { findings: Findings; change: LinkChange | null } {
  const broken = { ...findings, notOkSince: notOkSince ?? now, brokenSince: brokenSince ?? now, unknownSince: null };
  if (brokenSince === null || now.getTime() - brokenSince.getTime() < confirmMs)
    return { findings: broken, change: null };
  if (brokenConfirmedAt === null || (repairDueAt === null && repairDays !== null)) {
    const dueAt = repairDays === null ? null : later(now, repairDays * dayMs);
    return {
      findings: { ...broken, brokenConfirmedAt: brokenConfirmedAt ?? now, repairDueAt: dueAt },
      change: 'broken',
    };
  }
  if (repairDueAt === null) return { findings: broken, change: null };
  if (repairDueAt <= now) return { findings: broken, change: 'lost' };
  const isDueSoon = remindedAt === null && repairDueAt.getTime() - now.getTime() <= reminderMs;
  return { findings: { ...broken, remindedAt: isDueSoon ? now : remindedAt }, change: isDueSoon ? 'repair_due' : null };
}
