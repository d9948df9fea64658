import { sign } from 'node:crypto';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { ulid } from 'ulid';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { auditSeals } from '@/db/schema/audit';
import { type linkChecks, linkProofs } from '@/db/schema/links';
import { orderChanges } from '@/db/schema/order-changes';
import type { Transaction } from '@/db/transaction';
import { env } from '@/lib/env';
import { lockSigningKey } from './keys';
import { canonicalize, type ProofStatement } from './verify-proof';

export const proofResponse = z.object({
  statement: z.string(),
  signature: z.string(),
  keyId: z.string(),
  revokedAt: z.string().nullable(),
  replacedBy: z
    .string()
    .nullable()
    .describe('The newer passport of the same page, if the link was changed as agreed; null otherwise.'),
});

/**
 * Selects the newest passport of the order of a passport that was issued before a paid change of the link; null for one
 * without such a change. Columns of the outer query have their table, which Drizzle leaves out in a selection from one.
 */
const replacedBy = sql<string | null>`(
  select max(newer.id) from ${linkProofs} as newer
  where newer.order_id = ${linkProofs}.order_id and newer.issued_at >= (
    select max(change.ended_at) from ${orderChanges} as change
    where change.order_id = ${linkProofs}.order_id and change.state = 'approved'
      and change.ended_at > ${linkProofs}.issued_at))`;

/** Finds a passport for anyone who knows its id; null if there is none. */
export async function findProof(id: string): Promise<z.output<typeof proofResponse> | null> {
  // Other texts, which PostgreSQL may refuse, are the id of nothing.
  if (!/^[0-9a-z]{26}$/.test(id)) return null;
  const [row] = await db()
    .select({
      statement: linkProofs.statement,
      signature: linkProofs.signature,
      keyId: linkProofs.keyId,
      revokedAt: linkProofs.revokedAt,
      replacedBy,
    })
    .from(linkProofs)
    .where(eq(linkProofs.id, id));
  return row ? { ...row, revokedAt: row.revokedAt?.toISOString() ?? null } : null;
}

type LinkCheck = typeof linkChecks.$inferSelect;

/**
 * Signs what a check found, in the transaction that stores the check: a link passport. One check has one passport.
 * @returns the id of the passport; null for a check that did not find the link
 */
export async function issueProof(tx: Transaction, check: LinkCheck): Promise<string | null> {
  const { id: checkId, orderId, verdict } = check;
  if (verdict !== 'ok' && verdict !== 'changed') return null;
  const key = await lockSigningKey(tx);
  // Not `newId`, whose ids of one millisecond are consecutive: an id gives access to the passport.
  const id = ulid().toLowerCase();
  const audit = await readNewestSeal(tx);
  const statement = canonicalize({ ...describeCheck(check, verdict), id, audit } satisfies ProofStatement);
  const signature = sign(null, Buffer.from(statement, 'utf8'), key.privateKey).toString('base64url');
  const issued = await tx
    .insert(linkProofs)
    .values({ id, orderId, checkId, statement, signature, keyId: key.id })
    .onConflictDoNothing({ target: linkProofs.checkId })
    .returning({ id: linkProofs.id });
  const [proof] = issued.length > 0 ? issued : await selectProofOfCheck(tx, checkId);
  if (!proof) throw new Error(`The passport of the check ${checkId} was not stored.`);
  return proof.id;
}

const selectProofOfCheck = (tx: Transaction, checkId: number) =>
  tx.select({ id: linkProofs.id }).from(linkProofs).where(eq(linkProofs.checkId, checkId));

function describeCheck(
  { pageUrl, finalUrl, targetUrl, rel, anchor, indexable, textHash, at }: LinkCheck,
  verdict: ProofStatement['verdict'],
): Omit<ProofStatement, 'id' | 'audit'> {
  return {
    version: 1,
    issuer: env().APP_URL,
    page: pageUrl,
    target: targetUrl,
    checkedAt: at.toISOString(),
    ...{ finalUrl, rel, anchor, indexable, verdict, textHash },
  };
}

/** Reads the newest seal, which contains all earlier ones: a statement cannot be older than the entry that it names. */
async function readNewestSeal(tx: Transaction): Promise<ProofStatement['audit']> {
  const [seal] = await tx
    .select({ position: auditSeals.position, hash: auditSeals.hash })
    .from(auditSeals)
    .orderBy(desc(auditSeals.position))
    .limit(1);
  return seal ?? null;
}

/** How the order ended without the link. Not published, because it concerns the two sides only. */
type RevocationReason = 'declined' | 'expired' | 'cancelled' | 'settled' | 'lost' | 'refunded';

/**
 * Revokes the passports of an order, finally. Passports that were revoked earlier keep their time and reason.
 * @returns the number of passports that this call revoked
 */
export async function revokeProofs(tx: Executor, orderId: number, reason: RevocationReason): Promise<number> {
  const revoked = await tx
    .update(linkProofs)
    .set({ revokedAt: sql`now()`, revokedReason: reason })
    .where(and(eq(linkProofs.orderId, orderId), isNull(linkProofs.revokedAt)))
    .returning({ id: linkProofs.id });
  return revoked.length;
}
