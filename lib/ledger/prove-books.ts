import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { bookProofs } from '@/db/schema/book-proofs';
import { transfers } from '@/db/schema/ledger';
import { ledgerRollup } from '@/db/schema/ledger-rollups';
import { users } from '@/db/schema/users';
import { type Actor, type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { requestProof, runRequestedProof } from '@/lib/audit/proof-requests';
import { newId } from '@/lib/ids';
import { isSignedProof, signProof } from '@/lib/platform/audit/keys';
import { recordAudit } from '@/lib/platform/audit/record';
import { type BookCheck, type BooksReport, booksReport, type ProofStart, verifyBooks } from './verify-books';

/** A run of the ledger verification: its report, time and user. */
export type BooksProof = { ranAt: Date; ranBy: string; report: BooksReport; isWhole: boolean };

type ProofOptions = {
  /** Verifies everything, also where a verification of what is new is possible. */
  isWhole?: boolean;
  /** The user who requested it, if it runs for another actor. */
  ranBy?: string | null;
  onChecks?: (checks: BookCheck[], share: number) => Promise<void> | void;
};

/**
 * Verifies the ledger from its rows and stores the report, except on a replica: what is new since the last sound verification, if the last
 * one of everything was sound, otherwise everything.
 */
export async function runProof(
  actor: AnyActor,
  { isWhole = false, ranBy = actor.userId, onChecks }: ProofOptions = {},
): Promise<Omit<BooksProof, 'ranBy' | 'ranAt'>> {
  const since = isWhole ? null : await findProofStart();
  const { position, startedAt, ...report } = await verifyBooks({
    since: since ?? undefined,
    ...(onChecks && { onChecks }),
  });
  const broken = report.checks.filter((check) => check.broken > 0);
  const isWholeProof = since === null;
  if (await isReplica()) return { report, isWhole: isWholeProof };
  const part = since ? 'New entries of the books' : 'The books';
  await db().transaction(async (tx) => {
    const id = newId();
    const { isSound } = report;
    const proof = { id, ranAt: new Date(), isSound, isWhole: isWholeProof, position, startedAt };
    await tx.insert(bookProofs).values({ ...proof, ranBy, report, mac: signProof(toStatement(proof)) });
    await recordAudit(tx, actor, {
      action: 'books.proven',
      details: isSound
        ? `${part} were checked and balance.`
        : `${part} were checked and do not balance: ${broken.map((check) => check.name).join('; ')}.`,
      entityType: 'books',
      entityId: id,
    });
  });
  return { report, isWhole: isWholeProof };
}

/** Checks whether the database is a replica, which stores nothing. */
async function isReplica(): Promise<boolean> {
  const [row] = await db().execute(sql`select pg_is_in_recovery() as "isReplica"`);
  return z.object({ isReplica: z.boolean() }).parse(row).isReplica;
}

type SignedProof = Pick<
  typeof bookProofs.$inferSelect,
  'id' | 'ranAt' | 'isSound' | 'isWhole' | 'position' | 'startedAt'
>;

/** Returns the text of a proof that its signature covers. */
const toStatement = ({ id, ranAt, isSound, isWhole, position, startedAt }: SignedProof): string =>
  JSON.stringify(['books', id, ranAt, isSound, isWhole, position, startedAt]);

/**
 * Finds where a verification of what is new begins. Errors in earlier rows remain reported: after one of them was found,
 * everything is verified until that is sound. A proof without a valid signature does not count: otherwise a writer of
 * the table could exempt rows from the verification.
 * @returns null if everything must be verified
 */
async function findProofStart(): Promise<ProofStart | null> {
  const [whole] = await db()
    .select()
    .from(bookProofs)
    .where(eq(bookProofs.isWhole, true))
    .orderBy(desc(bookProofs.ranAt))
    .limit(1);
  if (!whole?.isSound || !isSignedProof(toStatement(whole), whole.mac)) return null;
  const [last] = await db()
    .select({ proof: bookProofs })
    .from(bookProofs)
    .innerJoin(ledgerRollup, gte(ledgerRollup.position, bookProofs.position))
    .where(and(gte(bookProofs.ranAt, whole.ranAt), bookProofs.isSound))
    .orderBy(desc(bookProofs.ranAt))
    .limit(1);
  if (!last || !isSignedProof(toStatement(last.proof), last.proof.mac)) return null;
  const { position, startedAt } = last.proof;
  return position === null ? null : { position, startedAt };
}

/** Up to this number of transfers, a request verifies everything itself. */
const fewTransfers = 20_000;

/**
 * Verifies what is new, or requests a verification of everything that the job `prove-books` runs.
 * @returns whether the books are sound; null when the verification was requested
 */
export async function proveBooks(actor: Actor): Promise<{ isSound: boolean | null }> {
  if ((await findProofStart()) === null && (await hasManyTransfers())) {
    await requestWholeProof(actor);
    return { isSound: null };
  }
  const { report } = await runProof(actor);
  return { isSound: report.isSound };
}

async function hasManyTransfers(): Promise<boolean> {
  const rows = await db().select({ id: transfers.id }).from(transfers).limit(1).offset(fewTransfers);
  return rows.length > 0;
}

/** Requests a verification of everything. While one is requested, a second call changes nothing. */
export const requestWholeProof = (actor: Actor): Promise<void> => requestProof('books', actor.userId);

/** Runs the requested verification of everything, if there is one. @returns the number of verifications */
export const runRequestedBooksProof = (): Promise<Record<'proofs', number>> =>
  runRequestedProof('books', (ranBy, onProgress) =>
    runProof(systemActor(systemActors.booksCheck, 'job'), {
      isWhole: true,
      ranBy,
      onChecks: (_, share) => onProgress(share),
    }),
  );

/** Returns the latest run, or null before the first. */
export async function getLastProof(): Promise<BooksProof | null> {
  const [last] = await db()
    .select({
      ranAt: bookProofs.ranAt,
      report: bookProofs.report,
      isWhole: bookProofs.isWhole,
      name: users.name,
      email: users.email,
    })
    .from(bookProofs)
    .leftJoin(users, eq(users.id, bookProofs.ranBy))
    .orderBy(desc(bookProofs.ranAt), desc(bookProofs.id))
    .limit(1);
  if (!last) return null;
  const { name, email, report, ...rest } = last;
  return { ...rest, ranBy: name || email || 'the command line', report: booksReport.parse(report) };
}

/** Rows without a valid signature are ignored; a few could hide the last valid one for a while. */
const readRows = 20;

/** Returns the latest run, and the latest one over everything, whose signature is valid; null if there is none. */
export async function getLastSignedProofs() {
  const find = async (isWhole: SQL | undefined) => {
    const { id, ranAt, isSound, isWhole: whole, position, startedAt, mac } = bookProofs;
    const rows = await db()
      .select({ id, ranAt, isSound, isWhole: whole, position, startedAt, mac })
      .from(bookProofs)
      .where(isWhole)
      .orderBy(desc(bookProofs.ranAt), desc(bookProofs.id))
      .limit(readRows);
    const found = rows.find((row) => isSignedProof(toStatement(row), row.mac));
    return found ? { ranAt: found.ranAt, isSound: found.isSound } : null;
  };
  return { latest: await find(undefined), whole: await find(eq(bookProofs.isWhole, true)) };
}

/** Returns the time of the latest run over everything, or null before the first. */
export async function getLastWholeProofTime(): Promise<Date | null> {
  const [last] = await db()
    .select({ ranAt: bookProofs.ranAt })
    .from(bookProofs)
    .where(eq(bookProofs.isWhole, true))
    .orderBy(desc(bookProofs.ranAt))
    .limit(1);
  return last?.ranAt ?? null;
}
