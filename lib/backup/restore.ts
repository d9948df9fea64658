import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { and, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { copyInto } from '../../db/copy';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import { mails } from '../../db/schema/mails';
import type { Transaction } from '../../db/transaction';
import type { Actor } from '../access/actor';
import { lockRights } from '../access/authorize';
import { AppError } from '../errors';
import { newId } from '../ids';
import { clearedBody } from '../mail/deliver';
import { listAdminEmails, queueAdminNotice } from '../mail/security-notices';
import { maxContentBytes } from '../orders/deliverables/attach';
import { recordAudit } from '../platform/audit/record';
import { spool } from '../platform/storage/spool';
import { contentStore } from '../platform/storage/store';
import { isSameLedger, planRestore } from './check';
import type { Manifest } from './manifest';
import { readArchive, withArchive } from './read-archive';
import { listRights, requireWithinRights } from './rights';
import type { BackupIdInput } from './schemas';
import { type BackupTable, bookTables, endedTables, quoted, quotedTable } from './tables';

/**
 * Puts everything back as an archive has it, in one transaction: what is there meanwhile is gone, every session and
 * mailed link ends, mails that waited in the archive are given up. The books are treated as `planRestore` says.
 * Everything is read and authenticated before the first row is touched.
 * @throws AppError invalid_input for a damaged archive, conflict when it does not fit here or others keep the tables
 * busy, forbidden when the actor may not restore any more, when somebody would get more rights than the actor has, and
 * when somebody who has more would be changed
 */
export async function restoreBackup(actor: Actor, { id }: BackupIdInput): Promise<{ rows: number; files: number }> {
  return withArchive(id, async ({ path }) => {
    const manifest = await readArchive(createReadStream(path));
    const files = await putFiles(path, manifest);
    await db()
      .transaction((tx) => restoreInto(tx, actor, { id, path, manifest }))
      .catch((thrown: unknown) => {
        throw isBusy(thrown) ? busy() : thrown;
      });
    return { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0), files };
  });
}

type Source = { id: string; path: string; manifest: Manifest };

async function restoreInto(tx: Transaction, caller: Actor, { id, path, manifest }: Source): Promise<void> {
  await extendStatementTimeout(tx);
  await tx.execute(sql`set local lock_timeout = '20s'`);
  // Reading the archive took its time: the actor may be less by now. Of two restores the second one waits here.
  const actor = await lockRights(tx, caller, 'ManageBackups');
  // Nobody begins to add money between the plan and the emptying.
  await tx.execute(sql`lock table topups in share mode`);
  const { books, tables } = await planRestore(tx, manifest);
  const [before, own, admins] = [await listRights(tx), await readOwnRow(tx, actor), await listAdminEmails(tx)];

  const cleared = [...tables.map(({ name }) => name).filter((name) => !bookTables.includes(name)), ...endedTables];
  const names = cleared.map((name) => sql`${name.replace(/^public\./, '')}`);
  await tx.execute(sql`select restoring.clear_tables(array[${sql.join(names, sql`, `)}]::text[])`);
  if (books === 'replace') await tx.execute(sql`select restoring.open_books()`);

  const copy = copyTables(
    tx,
    tables,
    (name) => (bookTables.includes(name) && books === 'keep' ? null : name.replace(/^ledger\./, 'restoring.')),
    async (name) => {
      // A trigger noted each line that came in; the archive says which of them really wait for their seal.
      if (name === 'public.audit_logs') await tx.execute(sql`delete from audit_unsealed`);
    },
  );
  const again = await readArchive(createReadStream(path), { onTable: copy.add });
  await copy.close();
  if (JSON.stringify(again) !== JSON.stringify(manifest)) throw new Error('The archive changed while it was read.');

  await tx.execute(books === 'replace' ? sql`select restoring.close_books()` : sql`select restoring.align_sequences()`);
  await keepActor(tx, actor, own);
  requireWithinRights(actor, before, await listRights(tx));
  await tx
    .update(mails)
    .set({ ...clearedBody, failedAt: sql`now()`, error: 'Not sent: it waited in a backup that was restored.' })
    .where(and(isNull(mails.sentAt), isNull(mails.failedAt)));
  if (books === 'keep' && !(await isSameLedger(tx, tables, manifest))) throw busy();
  const details = `${actor.email} restored the backup of ${manifest.madeAt}. Everybody was signed out.`;
  await recordAudit(tx, actor, {
    action: 'backup.restored',
    details,
    entityType: 'backup',
    entityId: id,
    after: { madeAt: manifest.madeAt, madeBy: manifest.madeBy, books },
  });
  await queueAdminNotice(tx, actor, { subject: 'A backup was restored', text: details }, admins);
}

function busy(): AppError {
  return new AppError(
    'conflict',
    'Others were changing things at the same moment, so nothing was restored. Try again when it is quiet.',
  );
}

const sqlError = z.object({ code: z.string() });

/** A lock that did not come in time, or a deadlock. */
function isBusy(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  return ['55P03', '40P01'].includes(sqlError.safeParse(cause).data?.code ?? '');
}

type Open = { name: string; sink: Writable; end: Promise<void> };

/**
 * Copies an archive's pieces into the database, one table after the other, in the archive's order.
 * @param target where a table's rows go; null: they are passed over
 * @param afterTable runs once a table is in, before the next one begins
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
        const table = tables.find((known) => known.name === name);
        if (into === null || !table) return;
        const sink = await copyInto(tx, quotedTable(into), table.columns.map(quoted));
        const end = finished(sink);
        // Awaited when the table is closed; a refusal before that shows in `write` or there.
        end.catch(() => undefined);
        open = { name, sink, end };
      }
      const { sink, end } = open;
      if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), end]);
    },
  };
}

/**
 * Puts an archive's delivered files into the store, where it does not have them. A file's key names one content for
 * good, so that one which is there stays as it is. @returns how many were put
 */
async function putFiles(path: string, manifest: Manifest): Promise<number> {
  if (manifest.files.count === 0) return 0;
  const store = contentStore();
  let put = 0;
  await readArchive(createReadStream(path), {
    onFile: async (key, content) => {
      if (await isThere(key)) return;
      // The store wants to know length and sum beforehand.
      await spool(content, maxContentBytes, ({ path: file, sizeBytes, sha256 }) =>
        store.put(key, { stream: createReadStream(file), sizeBytes, sha256 }),
      );
      put += 1;
    },
  });
  return put;
}

async function isThere(key: string): Promise<boolean> {
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

/** A person's row in `users`, with the names of its columns. */
type OwnRow = z.output<typeof row>['person'];

async function readOwnRow(tx: Executor, actor: Actor): Promise<OwnRow> {
  const rows = z
    .array(row)
    .parse(await tx.execute(sql`select to_jsonb(u) as person from users u where u.id = ${actor.userId}`));
  const [own] = rows;
  if (!own) throw new AppError('unauthenticated', 'Please sign in to continue.');
  return own.person;
}

/**
 * Whoever restores an archive that does not know them keeps their account, so that nobody locks themselves out.
 * @throws AppError conflict when the archive does not know their role either, or knows the account as one that cannot
 * sign in
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
      `In this backup the account ${actor.email} is ${found.state}: you could not sign in any more. Ask another admin to restore it.`,
    );
  }
  const role = await tx.execute(sql`select 1 from roles where name = ${actor.role}`);
  if (role.length === 0) {
    throw new AppError('conflict', `This backup knows neither your account nor your role ${actor.role}. Ask an admin.`);
  }
  const taken = await tx.execute(sql`select 1 from users where id = ${actor.userId}`);
  const kept = taken.length > 0 ? { ...own, id: newId() } : own;
  await tx.execute(
    sql`insert into users select * from jsonb_populate_record(null::users, ${JSON.stringify(kept)}::text::jsonb)`,
  );
}
