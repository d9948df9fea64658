import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { linkProofs } from '@/db/schema/links';
import type { Proof } from './verify-proof';

export const proofResponse = z.object({
  statement: z.string(),
  signature: z.string(),
  keyId: z.string(),
  revokedAt: z.string().nullable(),
});

/** Finds a passport for anyone who knows its id; null if there is none. */
export async function findProof(id: string): Promise<Proof | null> {
  // Other texts, which PostgreSQL may refuse, are the id of nothing.
  if (!/^[0-9a-z]{26}$/.test(id)) return null;
  const [row] = await db()
    .select({
      statement: linkProofs.statement,
      signature: linkProofs.signature,
      keyId: linkProofs.keyId,
      revokedAt: linkProofs.revokedAt,
    })
    .from(linkProofs)
    .where(eq(linkProofs.id, id));
  return row ? { ...row, revokedAt: row.revokedAt?.toISOString() ?? null } : null;
}
