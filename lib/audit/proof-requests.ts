import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type proofKinds, proofRequests } from '@/db/schema/book-proofs';
import { secondsFromNow } from '@/lib/platform/leases';

type ProofKind = (typeof proofKinds)[number];

/** Requests a proof of all rows, which a job runs. While one is requested, a second call changes nothing. */
export async function requestProof(kind: ProofKind, requestedBy: string): Promise<void> {
  await db().insert(proofRequests).values({ kind, requestedBy }).onConflictDoNothing();
}

/** Longer than a step of a proof takes. Afterwards, another instance repeats the proof. */
const leaseSeconds = 30 * 60;

/**
 * Runs the requested proof of a kind, if there is one.
 * @param run receives the id of the user who requested it, and a function that stores the progress from 0 to 1
 * @returns the number of proofs
 */
export async function runRequestedProof(
  kind: ProofKind,
  run: (requestedBy: string, onProgress: (share: number) => Promise<void>) => Promise<unknown>,
): Promise<Record<'proofs', number>> {
  const leaseUntil = secondsFromNow(leaseSeconds);
  const isKind = eq(proofRequests.kind, kind);
  const [request] = await db()
    .update(proofRequests)
    .set({ leaseUntil, progress: 0 })
    .where(and(isKind, or(isNull(proofRequests.leaseUntil), lt(proofRequests.leaseUntil, sql`now()`))))
    .returning();
  if (!request) return { proofs: 0 };
  let stored = 0;
  try {
    await run(request.requestedBy, async (share) => {
      const progress = Math.floor(share * 100);
      if (progress === stored) return;
      stored = progress;
      await db().update(proofRequests).set({ leaseUntil, progress }).where(isKind);
    });
  } finally {
    await db().delete(proofRequests).where(isKind);
  }
  return { proofs: 1 };
}

/** Returns the progress of the requested proof of a kind in percent, or null without one. */
export async function getProofProgress(kind: ProofKind): Promise<number | null> {
  const [request] = await db()
    .select({ progress: proofRequests.progress })
    .from(proofRequests)
    .where(eq(proofRequests.kind, kind));
  return request?.progress ?? null;
}
