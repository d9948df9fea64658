import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { and, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { copyFromStdin } from '@/db/copy';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { mails } from '@/db/schema/mails';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { lockRights } from '@/lib/access/authorize';
import { AppError, signedOutMessage } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { listAdminEmails, queueAdminNotice } from '@/lib/mail/security-notices';
import { maxContentBytes } from '@/lib/orders/deliverables/store-file';
import { recordAudit } from '@/lib/platform/audit/record';
import { spool } from '@/lib/platform/storage/spool';
import { contentStore } from '@/lib/platform/storage/store';
import { isSameLedger, planRestore } from './check';
import type { Manifest } from './manifest';
import { withRestoreProgress } from './progress';
import { type ArchiveReader, readArchive, withArchive } from './read-archive';
import { listRights, requireWithinRights } from './rights';
import type { BackupIdInput } from './schemas';
import { appendOnlyTables, type BackupTable, clearedTables, quoteIdentifier, quoteTable } from './tables';

/**
 * Restores an archive in one transaction. Data created since the backup is deleted, all sessions and mailed links end,
 * and mails queued in the archive are marked as failed. The ledger and audit log are treated as `planRestore` determines.
 * The whole archive is verified before the first row is changed.
 * @throws AppError invalid_input for a damaged archive, conflict if it does not fit this installation or the tables are
 * locked, forbidden if the actor may no longer restore, if a user would get more rights than the actor has, or if the
 * account of a user with more rights would change
 */
export async function restoreBackup(actor: Actor, { id }: BackupIdInput): Promise<{ rows: number; files: number }> {
  return withArchive(id, ({ path, sizeBytes }) =>
    withRestoreProgress(id, async (report) => {
      const within = ([from, to]: readonly [number, number]) => ({
        onProgress: (bytes: number) => report(from + (bytes / sizeBytes) * (to - from)),
      });
      const manifest = await readArchive(createReadStream(path), within(shares.verify));
      const files = await storeFiles(path, manifest, within(shares.files));
      await db()
        .transaction((tx) => restoreInto(tx, actor, { id, path, manifest, ...within(shares.rows) }))
        .catch((thrown: unknown) => {
          throw isBusy(thrown) ? busyError() : thrown;
        });
      return { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0), files };
    }),
  );
}

/** The shares of the progress bar for the three readings of the archive; the rest is for the ledger. */
const shares = { verify: [0, 0.1], files: [0.1, 0.2], rows: [0.2, 0.8] } as const;

type Progress = Pick<ArchiveReader, 'onProgress'>;
type Source = { id: string; path: string; manifest: Manifest } & Progress;

async function restoreInto(tx: Transaction, caller: Actor, source: Source): Promise<void> {
  const { id, path, manifest, onProgress } = source;
  await extendStatementTimeout(tx);
  await tx.execute(sql`set local lock_timeout = '20s'`);
  await tx.execute(sql`set local linkmarket.marks_records = 'off'`);
  // Checks again, because the actor's rights may have changed while the archive was read. Serializes concurrent restores.
  const actor = await lockRights(tx, caller, 'ManageBackups');
  // Prevents new top-ups between the plan and the deletion.
  await tx.execute(sql`lock table topups in share mode`);
  const { books, tables } = await planRestore(tx, manifest);
  const [before, own, admins] = [await listRights(tx), await readOwnRow(tx, actor), await listAdminEmails(tx)];

  const cleared = [
    ...tables.map(({ name }) => name).filter((name) => !appendOnlyTables.includes(name)),
    ...clearedTables,
  ];
  const names = cleared.map((name) => sql`${name.replace(/^public\./, '')}`);
  await tx.execute(sql`select restoring.clear_tables(array[${sql.join(names, sql`, `)}]::text[])`);
  if (books === 'replace') await tx.execute(sql`select restoring.open_books()`);

  const copy = copyTables(
    tx,
    tables,
    (name) => (appendOnlyTables.includes(name) && books === 'keep' ? null : name.replace(/^ledger\./, 'restoring.')),
    async (name) => {
      // A trigger has marked each inserted entry as unsealed. The archive contains the actual list.
      if (name === 'public.audit_logs') await tx.execute(sql`delete from audit_unsealed`);
      // A trigger has made each user the owner of the personal account. The archive contains all members.
      if (name === 'public.users') await tx.execute(sql`delete from account_members`);
    },
  );
  const again = await readArchive(createReadStream(path), { onTable: copy.add, onProgress });
  await copy.close();
  if (JSON.stringify(again) !== JSON.stringify(manifest))
    throw new Error('The archive changed while it was being read.');

  await tx.execute(books === 'replace' ? sql`select restoring.close_books()` : sql`select restoring.align_sequences()`);
  await tx.execute(sql`select restoring.analyze_tables(true)`);
  await keepActor(tx, actor, own);
  requireWithinRights(actor, before, await listRights(tx));
  await tx
    .update(mails)
    .set({
      sealedBody: null,
      gathersFor: null,
      failedAt: sql`now()`,
      error: 'Not sent: it was queued in a backup that was restored.',
    })
    .where(and(isNull(mails.sentAt), isNull(mails.failedAt)));
  if (books === 'keep' && !(await isSameLedger(tx, tables, manifest))) throw busyError();
  const details = `${actor.email} restored the backup of ${manifest.madeAt}. All users were signed out.`;
  await recordAudit(tx, actor, {
    action: 'backup.restored',
    details,
    entityType: 'backup',
    entityId: id,
    after: { madeAt: manifest.madeAt, madeBy: manifest.madeBy, books },
  });
  await queueAdminNotice(tx, actor, { subject: 'A backup was restored', text: details }, admins);
}

function busyError(): AppError {
  return new AppError(
    'conflict',
    'Nothing was restored, because other changes were made at the same time. Try again later.',
  );
}

const sqlError = z.object({ code: z.string() });

/** Checks whether an error is a lock timeout or a deadlock. */
function isBusy(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  return ['55P03', '40P01'].includes(sqlError.safeParse(cause).data?.code ?? '');
}

type Open = { name: string; sink: Writable; end: Promise<void> };

/**
 * Copies the tables of an archive into the database, in archive order.
 * @param target returns the table to insert into; null skips the table
 * @param afterTable runs after each table, before the next one begins
 */
function copyTables(
  tx: Transaction,
  tables: readonly BackupTable[],
  target: (name: string) => string | null,
  afterTable: (name: string) => Promise<void>,
) {
  let open: Open | null = null;
  const close = async () => {
    if (!open) return;
    const { name, sink, end } = open;
    open = null;
    sink.end();
    await end;
    await afterTable(name);
  };
  return {
    close,
    async add(name: string, chunk: Buffer): Promise<void> {
      if (open?.name !== name) {
        await close();
        const into = target(name);
        const table = tables.find((stateRows) => stateRows.name === name);
        if (into === null || !table) return;
        const sink = await copyFromStdin(tx, quoteTable(into), table.columns.map(quoteIdentifier));
        const end = finished(sink);
        // Awaited when the table is closed. An earlier error surfaces there or in `write`.
        end.catch(() => undefined);
        open = { name, sink, end };
      }
      const { sink, end } = open;
      if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), end]);
    },
  };
}

/**
 * Stores the delivered files of an archive that the store does not have. A key always refers to the same content, so
 * existing files are kept. @returns the number of files stored
 */
async function storeFiles(path: string, manifest: Manifest, { onProgress }: Progress): Promise<number> {
  if (manifest.files.count === 0) return 0;
  const store = contentStore();
  let put = 0;
  await readArchive(createReadStream(path), {
    onProgress,
    onFile: async (key, content) => {
      if (await isStored(key)) return;
      // The store requires the length in advance.
      await spool(content, maxContentBytes, ({ path: file, sizeBytes, sha256 }) =>
        store.put(key, { stream: createReadStream(file), sizeBytes, sha256 }),
      );
      put += 1;
    },
  });
  return put;
}

async function isStored(key: string): Promise<boolean> {
  try {
    (await contentStore().get(key)).destroy();
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return false;
    throw thrown;
  }
}

const known = z.array(z.object({ state: z.string() }));
const row = z.object({ person: z.record(z.string(), z.unknown()) });

/** A row of `users` by column name. */
type OwnRow = z.output<typeof row>['person'];

async function readOwnRow(tx: Executor, actor: Actor): Promise<OwnRow> {
  const rows = z
    .array(row)
    .parse(await tx.execute(sql`select to_jsonb(u) as person from users u where u.id = ${actor.userId}`));
  const [own] = rows;
  if (!own) throw new AppError('unauthenticated', signedOutMessage);
  return own.person;
}

/**
 * Keeps the actor's account if the archive does not contain it, so that the actor is not locked out.
 * @throws AppError conflict if the archive does not contain the actor's role either, or contains the account in a state
 * that cannot sign in
 */
async function keepActor(tx: Executor, actor: Actor, own: OwnRow): Promise<void> {
  const [found] = known.parse(
    await tx.execute(sql`
      select case when deleted_at is null then status else 'deleted' end as state
      from users where lower(email) = lower(${actor.email})`),
  );
  if (found?.state === 'Active') return;
  if (found) {
    throw new AppError(
      'conflict',
      `In this backup, the account ${actor.email} is ${found.state}, so you could no longer sign in. Ask another admin to restore it.`,
    );
  }
  const role = await tx.execute(sql`select 1 from roles where name = ${actor.role}`);
  if (role.length === 0) {
    throw new AppError(
      'conflict',
      `This backup contains neither your account nor your role ${actor.role}. Ask an admin.`,
    );
  }
  const claimed = await tx.execute(sql`select 1 from users where id = ${actor.userId}`);
  const account = claimed.length > 0 ? { ...own, id: newId() } : own;
  await tx.execute(
    sql`insert into users select * from jsonb_populate_record(null::users, ${JSON.stringify(account)}::text::jsonb)`,
  );
}
