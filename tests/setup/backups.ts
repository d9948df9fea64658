import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, expect } from 'vitest';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { manifestSchema } from '@/lib/backup/manifest';
import { openBackup } from '@/lib/backup/queries';
import { receiveBackup } from '@/lib/backup/receive';
import { runBackup, startBackup } from '@/lib/backup/run';
import { checksumTable, fixTextSettings, listBackupTables } from '@/lib/backup/tables';
import { newId } from '@/lib/ids';
import { attachContent } from '@/lib/orders/deliverables/content';
import { updateOrder } from '@/lib/orders/order/update';
import { makeOrder } from '@/tests/factories/make-order';
import { openSecondDatabase } from './second-database';

/**
 * Sets up a file of tests that create backups, and checks that no test leaves a temporary file.
 * @returns a function that opens another installation to restore into, which is removed after the test
 */
export function withBackups() {
  const temporary = mkdtempSync(join(tmpdir(), 'linkmarket-backup-test-'));
  process.env.TMPDIR = temporary;
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
    expect(readdirSync(temporary)).toEqual([]);
  });
  afterAll(() => rmSync(temporary, { recursive: true, force: true }));
  return {
    second: async () => {
      const database = await openSecondDatabase();
      opened.push(database.close);
      return database;
    },
  };
}

/** Creates a backup with its files, as the screen does. @returns its id */
export async function makeBackup(actor: Actor): Promise<string> {
  const { id } = await startBackup(actor, { withFiles: true });
  await runBackup(id);
  const [row] = await db().select().from(backups).where(eq(backups.id, id));
  expect(row).toMatchObject({ status: 'complete', progress: 100, error: null });
  return id;
}

export const archiveOf = async (actor: Actor, id: string) => buffer((await openBackup(actor, id)).stream);

export const uploadArchive = (actor: Actor, bytes: Buffer) =>
  receiveBackup(actor, Readable.from([bytes]), 'copy.lmbackup');

/** Checksums of everything that an archive contains, by table. */
export async function everything(except: string[] = []) {
  return db().transaction(
    async (tx) => {
      await fixTextSettings(tx);
      const sums: Record<string, unknown> = {};
      for (const table of await listBackupTables(tx)) {
        if (!except.includes(table.name)) sums[table.name] = await checksumTable(tx, table);
      }
      return sums;
    },
    { isolationLevel: 'repeatable read' },
  );
}

/** Creates orders with content, a refund and a session, with texts that are difficult to copy. */
export async function makeHistory(actor: Actor) {
  const { id: orderId, buyer } = await makeOrder(12_345, 5_000);
  await attachContent(actor, orderId, Readable.from([Buffer.from('delivered words')]), 'article.txt');
  await updateOrder(actor, orderId, {
    status: 'Live',
    linkUrl: 'https://live.example.com/a',
    adminComments: 'a\tb\\N\n"ü👩‍👧',
  });
  const { id: refunded } = await makeOrder(700);
  await updateOrder(actor, refunded, { status: 'Refunded' });
  await db().insert(sessions).values({ id: newId(), userId: buyer.userId, expiresAt: sql`now() + interval '1 day'` });
  return { orderId, buyer };
}

/** The tables in the manifest of an uploaded archive. */
export async function partsOf(id: string, except: string[]) {
  const [row] = await db().select().from(backups).where(eq(backups.id, id));
  const { tables } = manifestSchema.parse(row?.manifest);
  const kept = tables.filter(({ name }) => !except.includes(name));
  return Object.fromEntries(kept.map(({ name, rows, bytes, sha256 }) => [name, { rows, bytes, sha256 }]));
}
