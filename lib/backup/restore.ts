import { createReadStream } from 'node:fs';
import { and, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { letTakeLong } from '../../db/let-take-long';
import { mails } from '../../db/schema/mails';
import type { Transaction } from '../../db/transaction';
import { lockRights } from '../acl/lock-rights';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { forgotten } from '../mail/give-up-late';
import { listAdminEmails, queueAdminNotice } from '../mail/security-notices';
import { copyTables } from './copy-tables';
import { keepActor, readOwnRow } from './keep-actor';
import type { Manifest } from './manifest';
import { isSameLedger, planRestore } from './plan';
import { putFiles } from './put-files';
import { readArchive } from './read-archive';
import { listRights, requireWithinRights } from './rights';
import type { BackupIdInput } from './schemas';
import { bookTables, endedTables } from './tables';
import { withArchive } from './with-archive';

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
  await letTakeLong(tx);
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
    .set({ ...forgotten, failedAt: sql`now()`, error: 'Not sent: it waited in a backup that was restored.' })
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
