import { desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { bookProofs } from '../../db/schema/book-proofs';
import { users } from '../../db/schema/users';
import type { Actor } from '../access/actor';
import { newId } from '../ids';
import { recordAudit } from '../platform/audit/record';
import { type BooksReport, verifyBooks } from './verify-books';

const stored = z.object({
  isSound: z.boolean(),
  checks: z.array(z.object({ name: z.string(), broken: z.number(), sample: z.string().nullable() })),
  totals: z.array(
    z.object({
      kind: z.string(),
      currency: z.string(),
      balanceCents: z.number(),
      storedCents: z.number().nullable(),
    }),
  ),
}) satisfies z.ZodType<BooksReport>;

/** A run of the ledger verification: its report, time and user. */
export type BooksProof = { ranAt: Date; ranBy: string; report: BooksReport };

/** Verifies the ledger from its rows and stores the report. */
export async function proveBooks(actor: Actor): Promise<{ isSound: boolean }> {
  const report = await verifyBooks();
  const broken = report.checks.filter((check) => check.broken > 0);
  await db().transaction(async (tx) => {
    const id = newId();
    await tx.insert(bookProofs).values({ id, ranBy: actor.userId, isSound: report.isSound, report });
    await recordAudit(tx, actor, {
      action: 'books.proven',
      details: report.isSound
        ? 'The books were checked and balance.'
        : `The books were checked and do not balance: ${broken.map((check) => check.name).join('; ')}.`,
      entityType: 'books',
      entityId: id,
    });
  });
  return { isSound: report.isSound };
}

/** Returns the latest run, or null before the first. */
export async function getLastProof(): Promise<BooksProof | null> {
  const [last] = await db()
    .select({ ranAt: bookProofs.ranAt, report: bookProofs.report, name: users.name, email: users.email })
    .from(bookProofs)
    .leftJoin(users, eq(users.id, bookProofs.ranBy))
    .orderBy(desc(bookProofs.ranAt), desc(bookProofs.id))
    .limit(1);
  return last ? { ranAt: last.ranAt, ranBy: last.name || last.email || '', report: stored.parse(last.report) } : null;
}
