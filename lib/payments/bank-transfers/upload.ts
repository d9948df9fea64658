import { createHash } from 'node:crypto';
import { asc, count, eq, inArray, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import { db, type Executor } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { bankLines, bankTransferRequests } from '@/db/schema/bank-transfers';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { recordAudit } from '@/lib/platform/audit/record';
import { readOperator } from '@/lib/tax/operator';
import type { UploadResult } from './contract';
import { matchLine } from './credit';
import { arrivalPosting } from './postings';
import { addKeys, type KeyedCredit, readCredits } from './read-credits';

/** Rows of one statement, far below PostgreSQL's limit of parameters. */
const batchRows = 500;

/**
 * Books the credits of a bank statement. All that no other file had arrive in suspense in one transaction; then each
 * whose request is known and asked for this amount is credited in a transaction of its own. What an interrupted upload
 * left is continued by the next one that has the line: only its uploader answers for it, within their limit.
 * @param account of a CSV file that does not name it
 * @throws AppError too_large, invalid_input for a file that cannot be read as a whole or is of another account
 */
export async function uploadStatement(actor: Actor, file: Uint8Array, account?: string): Promise<UploadResult> {
  const { bankAccounts } = (await readOperator()).operator;
  const { credits, ignored } = readCredits(file, bankAccounts, account);
  const fileSha256 = createHash('sha256').update(file).digest('hex');
  const keyed = addKeys(credits);
  const added = await db().transaction(async (tx) => {
    await extendStatementTimeout(tx);
    // Two uploads at once would both find a line new.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('bank-lines')})`);
    const found = await withoutKnown(tx, keyed);
    const ids = await storeLines(tx, actor, found, fileSha256);
    await recordAudit(tx, actor, {
      action: 'bank_statement.uploaded',
      details: `A bank statement with ${credits.length} credits was uploaded: ${ids.length} new, ${credits.length - ids.length} known.`,
      entityType: 'bank_statement',
      entityId: fileSha256,
      after: { sha256: fileSha256, bytes: file.byteLength },
    });
    return ids;
  });
  const pending = await db()
    .select({ id: bankLines.id, contentKey: bankLines.contentKey, uploadedBy: bankLines.uploadedBy })
    .from(bankLines)
    .where(eq(bankLines.reason, 'pending'))
    .orderBy(asc(bankLines.id));
  const contents = new Set(keyed.map(({ contentKey }) => contentKey));
  for (const { id, contentKey, uploadedBy } of pending)
    if (uploadedBy === actor.userId || contents.has(contentKey)) await matchLine(actor, id);
  const states = await countStates(added);
  return {
    credited: states.get('matched') ?? 0,
    partial: states.get('partial') ?? 0,
    unmatched: states.get('unmatched') ?? 0,
    known: credits.length - added.length,
    ignored,
  };
}

/** Returns the credits that no stored line is; see `addKeys`. */
async function withoutKnown(tx: Executor, credits: readonly KeyedCredit[]): Promise<KeyedCredit[]> {
  const keys = new Set<string>();
  /** The number of stored lines by their content, with and without the bank's reference. */
  const contents = new Map<string, number>();
  const contentOf = (contentKey: string, hasReference: boolean) => `${contentKey} ${hasReference}`;
  for (const batch of batches(credits)) {
    const hasReference = sql<boolean>`${bankLines.bankReference} is not null`;
    const rows = await tx
      .select({ contentKey: bankLines.contentKey, hasReference, lines: count() })
      .from(bankLines)
      .where(inArray(bankLines.contentKey, [...new Set(batch.map(({ contentKey }) => contentKey))]))
      .groupBy(bankLines.contentKey, hasReference);
    for (const row of rows) contents.set(contentOf(row.contentKey, row.hasReference), row.lines);
    const known = await tx
      .select({ key: bankLines.key })
      .from(bankLines)
      .where(
        inArray(
          bankLines.key,
          batch.map(({ key }) => key),
        ),
      );
    for (const { key } of known) keys.add(key);
  }
  // A line of another kind of file has no reference of the bank, or has one where the stored line has none: of the lines
  // whose key is new, as many are known as there are stored lines of the other kind.
  return credits.filter(({ key, contentKey, bankReference }) => {
    if (keys.has(key)) return false;
    const content = contentOf(contentKey, bankReference === null);
    const left = contents.get(content) ?? 0;
    contents.set(content, left - 1);
    return left <= 0;
  });
}

/** Stores lines and books those that arrived. @returns their ids */
async function storeLines(tx: Executor, actor: Actor, credits: readonly KeyedCredit[], fileSha256: string) {
  const requests = await findRequests(tx, credits);
  const lines = credits.map(
    ({ references, ...credit }): typeof bankLines.$inferInsert & { id: string; uploadedBy: string } => {
      const named = references.flatMap((reference) => requests.get(reference) ?? []);
      const [request, ...others] = named;
      const common = { ...credit, id: newId(), fileSha256, uploadedBy: actor.userId };
      const known = request && others.length === 0 ? { requestId: request.id, accountId: request.accountId } : {};
      if (credit.isReversal) return { ...common, ...known, state: 'unmatched', reason: 'reversal' };
      if (request && others.length === 0) return { ...common, ...known, state: 'partial', reason: 'pending' };
      const none = references.length === 0 ? 'no_reference' : 'unknown_reference';
      return { ...common, state: 'unmatched', reason: request ? 'several_references' : none };
    },
  );
  for (const batch of batches(lines)) await tx.insert(bankLines).values(batch);
  await postTransfers(tx, lines.filter(({ isReversal }) => !isReversal).map(arrivalPosting));
  return lines.map(({ id }) => id);
}

/** Finds the requests of the references, by reference. */
async function findRequests(tx: Executor, credits: readonly KeyedCredit[]) {
  const references = [...new Set(credits.flatMap((credit) => credit.references))];
  const found = new Map<string, { id: string; accountId: string }>();
  for (const batch of batches(references)) {
    const rows = await tx
      .select({
        id: bankTransferRequests.id,
        accountId: bankTransferRequests.accountId,
        reference: bankTransferRequests.reference,
      })
      .from(bankTransferRequests)
      .where(inArray(bankTransferRequests.reference, batch));
    for (const { reference, ...request } of rows) found.set(reference, request);
  }
  return found;
}

async function countStates(ids: readonly string[]): Promise<Map<string, number>> {
  const states = new Map<string, number>();
  for (const batch of batches(ids)) {
    const rows = await db()
      .select({ state: bankLines.state, lines: count() })
      .from(bankLines)
      .where(inArray(bankLines.id, batch))
      .groupBy(bankLines.state);
    for (const { state, lines } of rows) states.set(state, (states.get(state) ?? 0) + lines);
  }
  return states;
}

function* batches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += batchRows) yield items.slice(at, at + batchRows);
}
