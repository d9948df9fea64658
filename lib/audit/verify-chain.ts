import { and, asc, count, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import { auditLogs, auditSeals, auditUnsealed } from '../../db/schema/audit';
import type { Transaction } from '../../db/transaction';
import { type AuditKey, auditKeys } from '../platform/audit/keys';
import { entryContent } from './chain';
import { anchorAction, ChainVerifier } from './chain-verifier';

export type ChainHead = { position: number; hash: string };

export type ChainFault = {
  kind: 'changed' | 'removed' | 'inserted' | 'forged' | 'unkeyed' | 'seal missing' | 'key missing' | 'head';
  /** A sentence that names the entry. */
  text: string;
};

export type ChainReport = {
  isSound: boolean;
  faults: ChainFault[];
  sealed: number;
  /** The number of entries that are not yet sealed. */
  waiting: number;
  /** The last seal; a copy elsewhere shows later whether the end of the chain was removed. */
  head: ChainHead | null;
  /** The position of the first keyed seal; earlier seals are verified only as far as it covers them. */
  keyedFrom: number | null;
  /** The number of unsigned entries, written during the update to the first version that signs them. */
  unsigned: number;
  /** Keys other than the first of SECRET_KEYS, and the last position that needs each. */
  olderKeys: { id: string; until: number; isHeld: boolean }[];
  /** Entries up to this position are verified by an anchor and do not need their keys. */
  anchoredUntil: number;
  /** The digest of the whole chain, for an anchor. */
  digest: string;
};

const batchSize = 2_000;
/** Further faults would only repeat the first ones. */
const maxFaults = 50;

/**
 * Verifies all seals and signatures of the chain in one snapshot.
 * @param expected a head that was recorded earlier, which the chain must contain
 */
export async function verifyAuditChain(
  expected?: ChainHead,
  keys: readonly AuditKey[] = auditKeys(),
): Promise<ChainReport> {
  return db().transaction(
    async (tx) => {
      await extendStatementTimeout(tx);
      const walk = new ChainVerifier(keys, await listAnchoredPositions(tx), expected);
      let after = 0;
      for (let batch = await readBatch(tx, after); batch.length > 0; batch = await readBatch(tx, after)) {
        for (const row of batch) walk.step(row);
        after = batch.at(-1)?.position ?? after;
      }
      const [waiting] = await tx.select({ count: count() }).from(auditUnsealed);
      const report = walk.end();
      const faults = [...report.faults, ...(await findCopiedEntries(tx)), ...(await findUnsealedEntries(tx))].slice(
        0,
        maxFaults,
      );
      return { ...report, faults, isSound: faults.length === 0, waiting: waiting?.count ?? 0 };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
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
async function findCopiedEntries(tx: Transaction): Promise<ChainFault[]> {
  const rows = await tx
    .select({ first: sql<number>`min(${auditLogs.id})`, last: sql<number>`max(${auditLogs.id})` })
    .from(auditLogs)
    .where(sql`${auditLogs.mac} is not null`)
    .groupBy(auditLogs.mac)
    .having(sql`count(*) > 1`)
    .limit(maxFaults);
  return rows.map(({ first, last }) => ({
    kind: 'forged' as const,
    text: `Entries ${first} and ${last} have the same authentication code: one is a copy of the other.`,
  }));
}

/** Finds entries that are neither sealed nor waiting to be sealed: they bypassed the trigger. */
async function findUnsealedEntries(tx: Transaction): Promise<ChainFault[]> {
  const rows = await tx
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditSeals.auditId, auditLogs.id))
    .leftJoin(auditUnsealed, eq(auditUnsealed.auditId, auditLogs.id))
    .where(and(isNull(auditSeals.auditId), isNull(auditUnsealed.auditId)))
    .orderBy(asc(auditLogs.id))
    .limit(maxFaults);
  return rows.map(({ id }) => ({
    kind: 'inserted' as const,
    text: `Entry ${id} has no seal and is not waiting for one: it was inserted by other means, or its seal was removed.`,
  }));
}
