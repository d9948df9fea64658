import { Cron } from 'croner';
import { and, desc, eq, inArray, ne, not, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { type Actor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { lineField, versionField, wholeNumberField } from '@/lib/platform/http/fields';
import { backupStore } from '@/lib/platform/storage/store';
import { getSettings, parseSetting, saveSetting, selectSettings } from '@/lib/settings/settings';
import { deleteBackup } from './delete';
import { isRunning } from './queries';
import { finishBackup, runBackup, startBackup } from './run';

const settingKey = 'backup-schedule';

/** A scheduled backup that is later than this is overdue: the jobs do not run, or a backup takes this long. */
const overdueMs = 6 * 60 * 60 * 1000;

const dayMs = 24 * 60 * 60 * 1000;

/** Parses a cron expression of five parts in UTC. @throws Error for an invalid one */
const parseCron = (cron: string) => new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true });

/** Without a date, at which croner runs once, and `?`, which it replaces by the time of the parsing. */
const fiveParts = /^[^\s?]+(?:\s+[^\s?]+){4}$/;

function isCron(cron: string): boolean {
  try {
    return fiveParts.test(cron) && parseCron(cron).nextRun() !== null;
  } catch {
    return false;
  }
}

const cronMessage =
  'Enter five parts: minute, hour, day of the month, month and weekday, for example “30 3 * * *” for every day at 3:30 UTC.';
const cronField = lineField(100, cronMessage, cronMessage).refine(isCron, cronMessage);

const scheduleFields = z.object({
  isOn: z.boolean(),
  /** Five parts, in UTC. */
  cron: cronField,
  withFiles: z.boolean(),
  /** The number of scheduled archives to keep. */
  keep: z.int().min(1).max(365),
});
export type BackupSchedule = z.output<typeof scheduleFields>;

const defaultSchedule: BackupSchedule = { isOn: false, cron: '30 3 * * *', withFiles: true, keep: 14 };

export const saveBackupScheduleInput = scheduleFields.extend({
  keep: wholeNumberField({ min: 1, max: 365 }, 'archives'),
  version: versionField,
});

const readSchedule = async () => parseSetting(await getSettings(), settingKey, scheduleFields, defaultSchedule);

/** Saves when backups are made and how many are kept. @throws AppError conflict for a stale `version` */
export async function saveBackupSchedule(
  actor: Actor,
  { version, ...after }: z.output<typeof saveBackupScheduleInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const before = parseSetting(await selectSettings(tx), settingKey, scheduleFields, defaultSchedule).value;
    const changes = computeChanges(before, after);
    await saveSetting(tx, actor, { key: settingKey, value: after, version, name: 'The schedule of backups' });
    await recordAudit(tx, actor, {
      action: 'backup.schedule_set',
      details: `The schedule of backups was saved; changed: ${changes.fields.join(', ') || 'none'}.`,
      entityType: 'setting',
      entityId: settingKey,
      before: changes.before,
      after: changes.after,
    });
  });
}

const isScheduled = eq(backups.origin, 'scheduled');

/** Returns the time of the newest scheduled backup, whatever became of it; null without one. */
async function findNewestScheduled() {
  const [newest] = await db()
    .select({
      createdAt: backups.createdAt,
      isFailed: sql<boolean>`${backups.status} = 'failed' or (${backups.status} = 'running' and not (${isRunning}))`,
    })
    .from(backups)
    .where(isScheduled)
    .orderBy(desc(backups.createdAt), desc(backups.id))
    .limit(1);
  return newest ?? null;
}

/** Returns the last time at which a backup was due; null before the first one after the schedule was saved. */
function findDueAt(cron: string, savedAt: Date, now: Date): Date | null {
  const [previous] = parseCron(cron).previousRuns(1, now);
  return previous && previous > savedAt ? previous : null;
}

/** Returns the schedule with its next run, the last success of any backup, and what needs the attention of staff. */
export async function getBackupSchedule(now = new Date()) {
  const [{ value: schedule, version, row }, newest, [success]] = await Promise.all([
    readSchedule(),
    findNewestScheduled(),
    db()
      .select({ at: backups.finishedAt, createdAt: backups.createdAt })
      .from(backups)
      .where(and(ne(backups.origin, 'uploaded'), eq(backups.status, 'complete')))
      .orderBy(desc(backups.createdAt), desc(backups.id))
      .limit(1),
  ]);
  // Counts from the first missed time, as the last due time is recent for a frequent schedule.
  const missedAt = row
    ? parseCron(schedule.cron).nextRun(new Date(Math.max(+row.updatedAt, +(newest?.createdAt ?? 0))))
    : null;
  const isOverdue = schedule.isOn && missedAt !== null && now.getTime() - missedAt.getTime() > overdueMs;
  // A backup that a person made since then replaces the failed one.
  const isFailed = newest?.isFailed && !(success && success.createdAt > newest.createdAt);
  return {
    schedule,
    version,
    nextRunAt: schedule.isOn ? (parseCron(schedule.cron).nextRun(now)?.toISOString() ?? null) : null,
    lastSuccessAt: success?.at?.toISOString() ?? null,
    problem: schedule.isOn && isFailed ? ('failed' as const) : isOverdue ? ('overdue' as const) : null,
  };
}

export type BackupScheduleState = Awaited<ReturnType<typeof getBackupSchedule>>;

/**
 * Makes the backup that is due, once over all instances, and deletes the oldest scheduled archives beyond the number to
 * keep. A backup that failed is not repeated before the next time; admins are mailed.
 */
export async function runScheduledBackup(now = new Date()): Promise<Record<string, number>> {
  await failInterrupted();
  const { value: schedule, row } = await readSchedule();
  if (!schedule.isOn || !row) return {};
  const dueAt = findDueAt(schedule.cron, row.updatedAt, now);
  const newest = await findNewestScheduled();
  if (dueAt === null || (newest && newest.createdAt >= dueAt)) return {};
  const actor = systemActor(systemActors.backup, 'job');
  const begun = await startBackup(actor, schedule, dueAt).catch((thrown: unknown) => {
    // Another instance has made it, or a person's backup is running, after which the next run makes it.
    if (thrown instanceof AppError && thrown.code === 'conflict') return null;
    throw thrown;
  });
  if (!begun) return {};
  const isComplete = await runBackup(begun.id);
  return { made: isComplete ? 1 : 0, failed: isComplete ? 0 : 1, deleted: await deleteOldest(schedule.keep) };
}

/** Marks scheduled backups whose process ended as failed. */
async function failInterrupted(): Promise<void> {
  const interrupted = await db()
    .select({ id: backups.id })
    .from(backups)
    .where(and(isScheduled, eq(backups.status, 'running'), not(sql`(${isRunning})`)));
  for (const { id } of interrupted)
    await finishBackup(id, { status: 'failed', error: 'The server stopped before the backup was complete.' });
}

/** Deletes scheduled archives beyond the newest complete ones, and the failed ones that are older than these. */
async function deleteOldest(keep: number): Promise<number> {
  const rows = await db()
    .select({ id: backups.id, status: backups.status })
    .from(backups)
    .where(and(isScheduled, inArray(backups.status, ['complete', 'failed'])))
    .orderBy(desc(backups.createdAt), desc(backups.id));
  const complete = rows.filter(({ status }) => status === 'complete');
  const oldestKept = complete[keep - 1];
  const surplus = oldestKept ? rows.slice(rows.indexOf(oldestKept) + 1) : [];
  for (const { id } of surplus) await deleteBackup(systemActor(systemActors.backup, 'job'), { id });
  await backupStore().removeUnfinished(new Date(Date.now() - dayMs));
  return surplus.length;
}
