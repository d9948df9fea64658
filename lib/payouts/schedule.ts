import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type PayoutSchedule, payoutProfiles, payoutSchedules } from '@/db/schema/payouts';
import { users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { isFlagOn, requireFlag } from '@/lib/settings/feature-flags';
import { lockProfile, requestPayoutIn } from './request';

export const schedulePayoutsInput = z.object({ schedule: z.enum(payoutSchedules, 'Choose a schedule.') });

type Profile = Pick<typeof payoutProfiles.$inferSelect, 'schedule' | 'nextRequestAt'>;

/** Reads when payouts of a seller are requested automatically. */
export async function getPayoutSchedule(sellerId: string): Promise<Profile> {
  const [profile] = await db()
    .select({ schedule: payoutProfiles.schedule, nextRequestAt: payoutProfiles.nextRequestAt })
    .from(payoutProfiles)
    .where(eq(payoutProfiles.sellerId, sellerId));
  return profile ?? { schedule: 'manual', nextRequestAt: null };
}

/**
 * Sets when payouts of the seller are requested automatically. Idempotent; only a change is audited.
 * @throws AppError not_configured while payouts are turned off
 */
export const setPayoutSchedule = (actor: Actor, schedule: PayoutSchedule): Promise<Profile> =>
  db().transaction(async (tx) => {
    await requireFlag('payouts', tx);
    const { profile: before, now } = await lockSchedule(tx, actor.userId);
    if (before.schedule === schedule) return before;
    const after = { schedule, nextRequestAt: getNextRequestAt(schedule, now) };
    await tx
      .update(payoutProfiles)
      .set({ ...after, version: sql`${payoutProfiles.version} + 1` })
      .where(eq(payoutProfiles.sellerId, actor.userId));
    await recordAudit(tx, actor, {
      action: 'payout_schedule.set',
      details: `${actor.email} changed the schedule of payouts ${before.schedule} → ${schedule}.`,
      entityType: 'user',
      entityId: actor.userId,
      before: { schedule: before.schedule },
      after: { schedule },
    });
    return after;
  });

/** The hour (UTC) of automatic requests. */
const requestHour = 6;

/** Returns the first Monday or first day of a month at 06:00 UTC after `now`; null for requests by hand. */
export function getNextRequestAt(schedule: PayoutSchedule, now: Date): Date | null {
  if (schedule === 'manual') return null;
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (schedule === 'monthly') {
    const first = new Date(Date.UTC(year, month, 1, requestHour));
    return first > now ? first : new Date(Date.UTC(year, month + 1, 1, requestHour));
  }
  const daysToMonday = (8 - now.getUTCDay()) % 7;
  const monday = new Date(Date.UTC(year, month, date + daysToMonday, requestHour));
  return monday > now ? monday : new Date(Date.UTC(year, month, date + daysToMonday + 7, requestHour));
}

const maxPerRun = 1_000;
/** Lease of a schedule, during which other instances skip it. A failed request is repeated after it. */
const leaseSeconds = 30 * 60;

/**
 * Requests the payouts that are scheduled for now. A seller whose balance is below the minimum, who has no payout
 * method, or whose last payout is still open, waits for the next date. Several instances may run concurrently: each
 * leases other rows. Does nothing while payouts are turned off, and makes up for it once when they are turned on.
 * @returns the number of requested payouts, of skipped sellers and of failures
 */
export async function requestScheduledPayouts(): Promise<{ requested: number; skipped: number; failed: number }> {
  const counts = { requested: 0, skipped: 0, failed: 0 };
  if (!(await isFlagOn('payouts'))) return counts;
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    const lease = await leaseDue();
    if (!lease) break;
    try {
      counts[await requestForSeller(lease)] += 1;
    } catch (thrown) {
      counts.failed += 1;
      log().error({ seller: lease.sellerId, err: thrown }, 'A scheduled payout could not be requested.');
    }
  }
  return counts;
}

type Lease = { sellerId: string; until: Date | null };

async function leaseDue(): Promise<Lease | undefined> {
  const { sellerId, nextRequestAt } = payoutProfiles;
  const [due] = await db()
    .update(payoutProfiles)
    // In milliseconds, which a Date of JavaScript holds exactly.
    .set({ nextRequestAt: sql`date_trunc('milliseconds', ${secondsFromNow(leaseSeconds)})` })
    .where(isDue({ id: sellerId, dueAt: nextRequestAt, where: undefined, limit: 1 }))
    .returning({ sellerId, until: nextRequestAt });
  return due;
}

async function requestForSeller(lease: Lease): Promise<'requested' | 'skipped'> {
  try {
    return await db().transaction(async (tx) => {
      if (!(await moveToNextDate(tx, lease)) || !(await isActive(tx, lease.sellerId))) return 'skipped';
      await requestPayoutIn(tx, systemActor(systemActors.scheduledPayouts, 'job'), lease.sellerId, {});
      return 'requested';
    });
  } catch (thrown) {
    const isRefused = thrown instanceof AppError && (thrown.code === 'conflict' || thrown.code === 'invalid_input');
    if (!isRefused) throw thrown;
    await db().transaction((tx) => moveToNextDate(tx, lease));
    return 'skipped';
  }
}

/** Returns false when the seller changed the schedule, or another instance has the lease. */
async function moveToNextDate(tx: Executor, { sellerId, until }: Lease): Promise<boolean> {
  const { profile, now } = await lockSchedule(tx, sellerId);
  if (profile.nextRequestAt?.getTime() !== until?.getTime()) return false;
  await tx
    .update(payoutProfiles)
    .set({ nextRequestAt: getNextRequestAt(profile.schedule, now) })
    .where(eq(payoutProfiles.sellerId, sellerId));
  return true;
}

async function isActive(tx: Executor, sellerId: string): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, sellerId), eq(users.status, 'Active'), isNull(users.deletedAt)));
  return found.length > 0;
}

async function lockSchedule(tx: Executor, sellerId: string): Promise<{ profile: Profile; now: Date }> {
  await lockProfile(tx, sellerId);
  const [row] = await tx
    .select({ profile: payoutProfiles, now: sql`now()`.mapWith(payoutProfiles.createdAt) })
    .from(payoutProfiles)
    .where(eq(payoutProfiles.sellerId, sellerId));
  if (!row) throw new Error('The payout profile was not inserted.');
  return row;
}
