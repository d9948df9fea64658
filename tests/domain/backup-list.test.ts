import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { mails } from '@/db/schema/mails';
import { orderContents } from '@/db/schema/orders';
import { settings } from '@/db/schema/settings';
import { type Actor, systemActor } from '@/lib/access/actor';
import { checkBackup } from '@/lib/backup/check';
import { deleteBackup } from '@/lib/backup/delete';
import { listBackups } from '@/lib/backup/queries';
import { restoreBackup } from '@/lib/backup/restore';
import { runBackup, startBackup } from '@/lib/backup/run';
import {
  getBackupSchedule,
  runScheduledBackup,
  saveBackupSchedule,
  saveBackupScheduleInput,
} from '@/lib/backup/schedule';
import { newId } from '@/lib/ids';
import { contentStore } from '@/lib/platform/storage/store';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';
import { makeBackup, makeHistory, withBackups } from '@/tests/setup/backups';

withBackups();
let admin: Actor;
beforeEach(async () => {
  admin = await makeUser('Admin');
});

describe('the list of backups', () => {
  it('allows one running backup, reports interrupted ones, and deletes each with its file', async () => {
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => startBackup(admin, { withFiles: false })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [running] = (await listBackups()).filter(({ status }) => status === 'running');
    expect(running).toMatchObject({ isCutOff: false });
    await expect(deleteBackup(admin, { id: running?.id ?? '' })).rejects.toMatchObject({ code: 'conflict' });
    await db().execute(
      sql`update backups set updated_at = now() - interval '5 minutes' where id = ${running?.id ?? ''}`,
    );
    expect((await listBackups()).find(({ id }) => id === running?.id)).toMatchObject({ isCutOff: true });
    await deleteBackup(admin, { id: running?.id ?? '' });

    const id = await makeBackup(admin);
    await deleteBackup(admin, { id });
    await expect(contentStore().get(`backups/${id}`)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteBackup(admin, { id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('records a failure and keeps no file', async () => {
    const { orderId } = await makeHistory(admin);
    const [content] = await db().select().from(orderContents).where(eq(orderContents.orderId, orderId));
    const path = join(process.env.DATA_DIR ?? '', 'content', content?.storageKey ?? '');
    writeFileSync(path, 'something else!');
    const { id } = await startBackup(admin, { withFiles: true });
    await runBackup(id);
    expect((await listBackups()).find((row) => row.id === id)).toMatchObject({ status: 'failed' });
    await contentStore().delete(content?.storageKey ?? '');
    // A missing file is reported and does not make the list fail.
    await makeBackup(admin);
    expect((await checkBackup(admin, { id: await makeBackup(admin) })).missingFiles).toBe(1);
  });
});

describe('the schedule of backups', () => {
  const save = async (values: Partial<{ isOn: boolean; cron: string; keep: number }> = {}) => {
    const { version } = await getBackupSchedule();
    const schedule = { isOn: true, cron: '0 3 * * *', withFiles: false, keep: 2, ...values };
    await saveBackupSchedule(admin, { ...schedule, version });
    // As if it had been saved before the times below.
    await db()
      .update(settings)
      .set({ updatedAt: new Date('2020-01-01') })
      .where(eq(settings.key, 'backup-schedule'));
  };
  const scheduled = async () => (await listBackups()).filter(({ origin }) => origin === 'scheduled');
  /** A time at which another backup is due: that of the day after the newest one. */
  const nextDay = async () => new Date(Date.now() + (await scheduled()).length * 86_400_000 + 86_400_000);

  it('makes a backup once when it is due over all instances, and keeps the newest ones', async () => {
    await makeBackup(admin);
    await save();
    for (let made = 0; made < 3; made += 1) {
      const now = await nextDay();
      const figures = await Promise.all([1, 2, 3].map(() => runScheduledBackup(now)));
      expect(figures.reduce((sum, { made: done = 0 }) => sum + done, 0)).toBe(1);
      await db().execute(sql`update backups set created_at = created_at + interval '1 day' * ${made + 1}
        where id = (select id from backups where origin = 'scheduled' order by id desc limit 1)`);
    }
    const kept = await scheduled();
    expect(kept.map(({ status, createdBy }) => [status, createdBy])).toEqual([
      ['complete', 'Backup job'],
      ['complete', 'Backup job'],
    ]);
    expect(await runScheduledBackup(new Date())).toEqual({});
    await save({ isOn: false });
    expect(await runScheduledBackup(new Date(Date.now() + 40 * 86_400_000))).toEqual({});
    expect((await getBackupSchedule()).nextRunAt).toBeNull();
  });

  it.each(['0 3 * * *', '*/30 * * * *'])('reports the overdue backup of %s at any time of the day', async (cron) => {
    await save({ cron });
    for (let hour = 0; hour < 24; hour += 1) {
      const later = new Date(Date.UTC(2099, 0, 1, hour, 20));
      expect(await getBackupSchedule(later)).toMatchObject({ problem: 'overdue' });
    }
  });

  it('reports no overdue backup within six hours of its time', async () => {
    await save();
    await runScheduledBackup(new Date('2099-01-01T03:00:01Z'));
    await db()
      .update(backups)
      .set({ createdAt: new Date('2099-01-01T03:00:01Z') })
      .where(eq(backups.origin, 'scheduled'));
    expect(await getBackupSchedule(new Date('2099-01-02T08:59:59Z'))).toMatchObject({ problem: null });
    expect(await getBackupSchedule(new Date('2099-01-02T09:00:01Z'))).toMatchObject({ problem: 'overdue' });
    for (const { id } of await scheduled()) await deleteBackup(admin, { id });
  });

  it('reports a backup that failed or was interrupted', async () => {
    await save();
    const later = new Date(Date.now() + 90 * 86_400_000);
    const { id } = await startBackup(systemActor('Backup job', 'job'), { withFiles: false }, later);
    await db()
      .update(backups)
      .set({ createdAt: later, updatedAt: new Date('2020-01-01') })
      .where(eq(backups.id, id));
    expect(await getBackupSchedule(later)).toMatchObject({ problem: 'failed' });
    await runScheduledBackup(later);
    expect((await scheduled())[0]).toMatchObject({ id, status: 'failed' });
    const alert = and(eq(mails.subject, 'The scheduled backup failed'), eq(mails.recipient, admin.email));
    expect(await db().select().from(mails).where(alert)).toHaveLength(1);
    // A person makes the backup in its place.
    const byHand = { status: 'complete', createdAt: new Date(later.getTime() + 1_000) } as const;
    await db()
      .insert(backups)
      .values({ id: newId(), fileName: 'a', origin: 'made', withFiles: false, createdBy: admin.email, ...byHand });
    expect(await getBackupSchedule(later)).toMatchObject({ problem: null });
  });

  const refused = [
    '',
    '* * * *',
    '61 * * * *',
    'daily',
    '@daily',
    '0 0 31 2 *',
    '* * * * * *',
    '? * * * *',
    '2099-01-01T00:00',
  ];
  it.each(refused)('refuses %j', (cron) => {
    const input = { isOn: true, cron, withFiles: true, keep: '3', version: 0 };
    expect(saveBackupScheduleInput.safeParse(input).success).toBe(false);
  });
});

describe('the database', () => {
  it('refuses to replace existing books or to empty the audit log', async () => {
    await fundWallet((await makeUser()).userId, 100);
    await expect(db().execute(sql`select restoring.open_books()`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.close_books()`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.clear_tables(array['audit_logs'])`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.clear_tables(array['audit_seals', 'sites'])`)).rejects.toThrow();
  });
});
