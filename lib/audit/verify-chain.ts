import { and, asc, count, eq, gt, isNull, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { auditLogs, auditSeals, auditUnsealed } from '@/db/schema/audit';
import type { Transaction } from '@/db/transaction';
import { AppError } from '@/lib/errors';
import { type AuditKey, auditKeys } from '@/lib/platform/audit/keys';
import { entryContent } from './chain';
import {
  anchorAction,
  type ChainFault,
  type ChainHead,
  type ChainReport,
  ChainVerifier,
  type VerifiedChain,
} from './chain-verifier';

const batchSize = 1_000;
/** Further faults would only repeat the first ones. */
const maxFaults = 50;

type VerifyOptions = {
  /** An earlier verification to continue; null for the whole chain. */
  verified?: VerifiedChain | null;
  /** Called after every batch with a position and the last one. */
  onProgress?: ((position: number, last: number) => Promise<void> | void) | undefined;
  /** Refuses to run beside another exclusive verification. */
  isExclusive?: boolean;
};

/**
 * Verifies the seals and signatures of the chain in one snapshot: all, or those behind an earlier verification.
 * @param expected a head that was recorded earlier, which the chain must contain
 * @throws AppError conflict with `isExclusive`
 */
export async function verifyAuditChain(
  expected?: ChainHead,
  keys: readonly AuditKey[] = auditKeys(),
  { verified = null, onProgress, isExclusive = false }: VerifyOptions = {},
): Promise<ChainReport> {
  return db().transaction(
    async (tx) => {
      await extendStatementTimeout(tx);
      if (isExclusive) await requireTurn(tx);
      const walk = new ChainVerifier(keys, await listAnchoredPositions(tx), expected, verified);
      const lost = verified && (await findLostSeal(tx, verified));
      const [last] = await tx.select({ position: max(auditSeals.position) }).from(auditSeals);
      let after = verified?.position ?? 0;
      for (let batch = await readBatch(tx, after); batch.length > 0; batch = await readBatch(tx, after)) {
        for (const row of batch) walk.step(row);
        after = batch.at(-1)?.position ?? after;
        await onProgress?.(after, last?.position ?? after);
      }
      const [waiting] = await tx.select({ count: count() }).from(auditUnsealed);
      const report = walk.end();
      const faults = [
        ...(lost ? [lost] : []),
        ...report.faults,
        ...(await findCopiedEntries(tx, verified)),
        ...(await findUnsealedEntries(tx, verified)),
      ].slice(0, maxFaults);
      const from = verified?.position ?? 0;
      return { ...report, faults, isSound: faults.length === 0, from, waiting: waiting?.count ?? 0 };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

const turn = z.tuple([z.object({ isOurs: z.boolean() })]);

async function requireTurn(tx: Transaction): Promise<void> {
  const lock = sql`select pg_try_advisory_xact_lock(${advisoryLock('chain-proof')}) as "isOurs"`;
  const [{ isOurs }] = turn.parse([...(await tx.execute(lock))]);
  if (!isOurs) throw new AppError('conflict', 'The audit log is being verified. Wait for the result.');
}

/** Checks that the chain still contains the seal up to which it was verified. */
async function findLostSeal(tx: Transaction, { position, hash }: ChainHead): Promise<ChainFault | null> {
  const [seal] = await tx.select({ hash: auditSeals.hash }).from(auditSeals).where(eq(auditSeals.position, position));
  if (seal?.hash === hash) return null;
  return { kind: 'head', text: `The seal ${position}:${hash} that was verified earlier is no longer in the chain.` };
}

/** Checks whether entries behind a position anchor the chain: they can only be verified with the whole. */
export async function hasAnchorBehind(position: number): Promise<boolean> {
  const [anchor] = await db()
    .select({ position: auditSeals.position })
    .from(auditLogs)
    .innerJoin(auditSeals, eq(auditSeals.auditId, auditLogs.id))
    .where(and(eq(auditLogs.action, anchorAction), gt(auditSeals.position, position)))
    .limit(1);
  return anchor !== undefined;
}

/** Reads the positions that entries claim to anchor; the walk verifies the claims. */
async function listAnchoredPositions(tx: Transaction): Promise<Set<number>> {
  const rows = await tx
    .select({ position: sql<unknown>`${auditLogs.after} -> 'position'` })
    .from(auditLogs)
    .where(eq(auditLogs.action, anchorAction));
  return new Set(rows.map(({ position }) => Number(position)));
}

function readBatch(tx: Transaction, afterPosition: number) {
  return tx
    .select({
      position: auditSeals.position,
      hash: auditSeals.hash,
      keyId: auditSeals.keyId,
      sealedAt: auditSeals.sealedAt,
      auditId: auditSeals.auditId,
      isThere: sql<boolean>`${auditLogs.id} is not null`,
      content: entryContent,
      mac: auditLogs.mac,
    })
    .from(auditSeals)
    .leftJoin(auditLogs, eq(auditLogs.id, auditSeals.auditId))
    .where(gt(auditSeals.position, afterPosition))
    .orderBy(asc(auditSeals.position))
    .limit(batchSize);
}

/** Finds entries with the same signature: without keys an entry can be copied, but not created. */
async function findCopiedEntries(tx: Transaction, verified: VerifiedChain | null): Promise<ChainFault[]> {
  const rows = copies.parse([
    ...(await tx.execute(
      verified
        ? // A copy has the record of the original, so an index finds it.
          sql`
            select least(fresh.id, other.id) as first, greatest(fresh.id, other.id) as last
            from (
              select audit_id from ${auditSeals} where position > ${verified.position}
              union all select audit_id from ${auditUnsealed}
            ) as added
            join ${auditLogs} as fresh on fresh.id = added.audit_id
            join ${auditLogs} as other on other.entity_type = fresh.entity_type and other.entity_id = fresh.entity_id
              and other.mac = fresh.mac and other.id <> fresh.id
            group by 1, 2 limit ${maxFaults}`
        : sql`
            select min(id) as first, max(id) as last from ${auditLogs}
            group by mac having count(*) > 1 limit ${maxFaults}`,
    )),
  ]);
  return rows.map(({ first, last }) => ({
    kind: 'forged' as const,
    text: `Entries ${first} and ${last} have the same authentication code: one is a copy of the other.`,
  }));
}

const copies = z.array(z.object({ first: z.coerce.number(), last: z.coerce.number() }));

/** Finds entries that are neither sealed nor waiting to be sealed: they bypassed the trigger. */
async function findUnsealedEntries(tx: Transaction, verified: VerifiedChain | null): Promise<ChainFault[]> {
  const rows = await tx
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditSeals.auditId, auditLogs.id))
    .leftJoin(auditUnsealed, eq(auditUnsealed.auditId, auditLogs.id))
    .where(
      and(
        isNull(auditSeals.auditId),
        isNull(auditUnsealed.auditId),
        verified ? gt(auditLogs.id, verified.lastAuditId) : undefined,
      ),
    )
    .orderBy(asc(auditLogs.id))
    .limit(maxFaults);
  return rows.map(({ id }) => ({
    kind: 'inserted' as const,
    text: `Entry ${id} has no seal and is not waiting for one: it was inserted by other means, or its seal was removed.`,
  }));
}
