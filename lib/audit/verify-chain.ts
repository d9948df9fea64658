import { and, asc, count, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import { auditLogs, auditSeals, auditUnsealed } from '../../db/schema/audit';
import type { Transaction } from '../../db/transaction';
import { type AuditKey, auditKeys } from '../platform/audit/keys';
import { entryContent } from './chain';
import { anchorAction, ChainWalk } from './chain-walk';

export type ChainHead = { position: number; hash: string };

export type ChainFault = {
  kind: 'changed' | 'removed' | 'inserted' | 'forged' | 'unkeyed' | 'seal missing' | 'key missing' | 'head';
  /** One sentence that names the entry. */
  text: string;
};

export type ChainReport = {
  isSound: boolean;
  faults: ChainFault[];
  sealed: number;
  /** Entries whose turn has not come yet. */
  waiting: number;
  /** The last seal; kept somewhere else, it shows later whether the end of the chain was cut off. */
  head: ChainHead | null;
  /** The first seal made with a key; seals before it are proven only as far as that one covers them. */
  keyedFrom: number | null;
  /** Entries without authentication of their own, written during the update to the first version that has it. */
  unsigned: number;
  /** Keys other than the first of SECRET_KEYS that made seals or entries, and the last place that each is needed for. */
  olderKeys: { id: string; until: number; isHeld: boolean }[];
  /** Up to this place entries are proven without their keys, by an anchor. */
  anchoredUntil: number;
  /** Over the whole chain; what an anchor holds. */
  digest: string;
};

const batchSize = 2_000;
/** More would only repeat what the first ones tell. */
const maxFaults = 50;

/**
 * Reads the whole chain in one snapshot and computes every seal and every entry's authentication again.
 * @param expected a head that was noted earlier: the chain must still hold it
 */
export async function verifyAuditChain(
  expected?: ChainHead,
  keys: readonly AuditKey[] = auditKeys(),
): Promise<ChainReport> {
  return db().transaction(
    async (tx) => {
      await extendStatementTimeout(tx);
      const walk = new ChainWalk(keys, await anchoredPlaces(tx), expected);
      let after = 0;
      for (let batch = await readBatch(tx, after); batch.length > 0; batch = await readBatch(tx, after)) {
        for (const row of batch) walk.step(row);
        after = batch.at(-1)?.position ?? after;
      }
      const [waiting] = await tx.select({ count: count() }).from(auditUnsealed);
      const report = walk.end();
      const faults = [...report.faults, ...(await copiedFaults(tx)), ...(await unsealedFaults(tx))].slice(0, maxFaults);
      return { ...report, faults, isSound: faults.length === 0, waiting: waiting?.count ?? 0 };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** Places that entries say to anchor; whether one may be believed shows when the walk comes to it. */
async function anchoredPlaces(tx: Transaction): Promise<Set<number>> {
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

/** Two entries with one authentication: a person without keys can copy an entry, but make no other. */
async function copiedFaults(tx: Transaction): Promise<ChainFault[]> {
  const rows = await tx
    .select({ first: sql<number>`min(${auditLogs.id})`, last: sql<number>`max(${auditLogs.id})` })
    .from(auditLogs)
    .where(sql`${auditLogs.mac} is not null`)
    .groupBy(auditLogs.mac)
    .having(sql`count(*) > 1`)
    .limit(maxFaults);
  return rows.map(({ first, last }) => ({
    kind: 'forged' as const,
    text: `Entries ${first} and ${last} carry the same authentication: one is a copy of the other.`,
  }));
}

/** Every entry has its seal or waits for it: one with neither came in past the trigger. */
async function unsealedFaults(tx: Transaction): Promise<ChainFault[]> {
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
    text: `Entry ${id} has no seal and does not wait for one: it was put in by other means, or its seal was taken out.`,
  }));
}
