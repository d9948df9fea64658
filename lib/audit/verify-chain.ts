import { and, asc, count, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { letTakeLong } from '../../db/let-take-long';
import { auditLogs, auditSeals, auditUnsealed } from '../../db/schema/audit';
import type { Transaction } from '../../db/transaction';
import { entryContent, sealHash } from './chain';

export type ChainHead = { position: number; hash: string };

type ChainFault = {
  kind: 'changed' | 'removed' | 'inserted' | 'seal missing' | 'head';
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
};

const batchSize = 2_000;
/** More would only repeat what the first ones tell. */
const maxFaults = 50;

/**
 * Reads the whole chain in one snapshot and computes every seal again.
 * @param expected a head that was noted earlier: the chain must still hold it
 */
export async function verifyAuditChain(expected?: ChainHead): Promise<ChainReport> {
  return db().transaction(
    async (tx) => {
      await letTakeLong(tx);
      const { faults, sealed, head, isExpectedThere } = await followChain(tx, expected);
      if (expected && !isExpectedThere) {
        faults.push({
          kind: 'head',
          text: `The seal ${expected.position}:${expected.hash} that was noted earlier is not in the chain any more.`,
        });
      }
      faults.push(...(await unsealedFaults(tx)));
      const [waiting] = await tx.select({ count: count() }).from(auditUnsealed);
      return { isSound: faults.length === 0, faults, sealed, waiting: waiting?.count ?? 0, head };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

async function followChain(tx: Transaction, expected: ChainHead | undefined) {
  const faults: ChainFault[] = [];
  let head: ChainHead | null = null;
  let sealed = 0;
  let isExpectedThere = false;
  const tell = (kind: ChainFault['kind'], text: string) => {
    if (faults.length < maxFaults) faults.push({ kind, text });
  };
  for (let batch = await readBatch(tx, 0); batch.length > 0; batch = await readBatch(tx, head?.position ?? 0)) {
    for (const { position, hash, auditId, isThere, content } of batch) {
      const before: ChainHead = head ?? { position: 0, hash: '' };
      if (position !== before.position + 1) {
        tell('seal missing', `After seal ${before.position} comes seal ${position}: those between were taken out.`);
      } else if (hash !== sealHash(position, before.hash, isThere ? content : null)) {
        // An entry that was gone before it was sealed is told as removed, whatever its seal.
        if (isThere) tell('changed', `Entry ${auditId} is not what was sealed, or its seal ${position} was changed.`);
      }
      if (!isThere) tell('removed', `Entry ${auditId} was sealed at place ${position} and is not there any more.`);
      isExpectedThere ||= position === expected?.position && hash === expected.hash;
      head = { position, hash };
      sealed += 1;
    }
  }
  return { faults, sealed, head, isExpectedThere };
}

function readBatch(tx: Transaction, afterPosition: number) {
  return tx
    .select({
      position: auditSeals.position,
      hash: auditSeals.hash,
      auditId: auditSeals.auditId,
      isThere: sql<boolean>`${auditLogs.id} is not null`,
      content: entryContent,
    })
    .from(auditSeals)
    .leftJoin(auditLogs, eq(auditLogs.id, auditSeals.auditId))
    .where(gt(auditSeals.position, afterPosition))
    .orderBy(asc(auditSeals.position))
    .limit(batchSize);
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
