import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orderContents } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { checkBackup } from '@/lib/backup/check';
import { deleteBackup } from '@/lib/backup/delete';
import { listBackups } from '@/lib/backup/queries';
import { restoreBackup } from '@/lib/backup/restore';
import { runBackup, startBackup } from '@/lib/backup/run';
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

describe('the database', () => {
  it('refuses to replace existing books or to empty the audit log', async () => {
    await fundWallet((await makeUser()).userId, 100);
    await expect(db().execute(sql`select restoring.open_books()`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.close_books()`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.clear_tables(array['audit_logs'])`)).rejects.toThrow();
    await expect(db().execute(sql`select restoring.clear_tables(array['audit_seals', 'sites'])`)).rejects.toThrow();
  });
});
