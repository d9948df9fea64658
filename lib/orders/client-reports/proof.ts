import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { linkProofs } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { listPublishedKeys } from '@/lib/links/passport/keys';
import { findProof } from '@/lib/links/passport/proofs';
import { type ProofStatement, parseStatement, verifyProof } from '@/lib/links/passport/verify-proof';
import type { OpenReport } from './open';

/**
 * Finds a passport of the project of a report, verified here: the text that is signed names the marketplace, so that the
 * reader's browser cannot.
 * @returns null for one of another project
 */
export async function findReportProof(
  { projectId }: OpenReport,
  id: string,
): Promise<{ statement: ProofStatement; state: string } | null> {
  const proof = await findProof(id);
  const statement = proof && parseStatement(proof.statement);
  if (!statement) return null;
  const [own] = await db()
    .select({ id: orders.id })
    .from(linkProofs)
    .innerJoin(orders, eq(orders.id, linkProofs.orderId))
    .where(and(eq(linkProofs.id, id), eq(orders.projectId, projectId), isNull(orders.deletedAt)));
  if (!own) return null;
  return { statement, state: (await verifyProof(proof, await listPublishedKeys(), id)).state };
}
