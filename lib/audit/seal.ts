import { desc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { advisoryLock } from '../../db/advisory-locks';
import { db } from '../../db/client';
import { letTakeLong } from '../../db/let-take-long';
import { auditLogs, auditSeals, auditUnsealed } from '../../db/schema/audit';
import type { Transaction } from '../../db/transaction';
import { entryContent, sealHash } from './chain';

/** Small, because the process that seals also answers requests. */
const batchSize = 500;

const locked = z.tuple([z.object({ locked: z.boolean() })]);

/**
 * Appends every entry of the audit log that waits to the chain, in the order of their numbers. Writers of the log never
 * wait for it: it takes a lock of its own, and only among sealers. Whoever finds another one at work leaves it to that.
 * @returns how many were sealed
 */
export async function sealAuditLogs(): Promise<Record<'sealed', number>> {
  return db().transaction(async (tx) => {
    const [{ locked: isOurs }] = locked.parse([
      ...(await tx.execute(sql`select pg_try_advisory_xact_lock(${advisoryLock('sealing')}) as locked`)),
    ]);
    if (!isOurs) return { sealed: 0 };
    await letTakeLong(tx);
    const [last] = await tx.select().from(auditSeals).orderBy(desc(auditSeals.position)).limit(1);
    let head = { position: last?.position ?? 0, hash: last?.hash ?? '' };
    let sealed = 0;
    for (let batch = await takeBatch(tx); batch.length > 0; batch = await takeBatch(tx)) {
      const seals = batch.map(({ auditId, content }) => {
        const position = head.position + 1;
        head = { position, hash: sealHash(position, head.hash, content) };
        return { ...head, auditId };
      });
      await tx.insert(auditSeals).values(seals);
      sealed += seals.length;
    }
    return { sealed };
  });
}

async function takeBatch(tx: Transaction): Promise<{ auditId: number; content: string | null }[]> {
  const waiting = await tx
    .select({ auditId: auditUnsealed.auditId, content: entryContent })
    .from(auditUnsealed)
    .leftJoin(auditLogs, eq(auditLogs.id, auditUnsealed.auditId))
    .orderBy(auditUnsealed.auditId)
    .limit(batchSize);
  if (waiting.length === 0) return [];
  await tx.delete(auditUnsealed).where(
    inArray(
      auditUnsealed.auditId,
      waiting.map(({ auditId }) => auditId),
    ),
  );
  return waiting.map(({ auditId, content }) => ({ auditId, content: content && existing(content) }));
}

/** An absent entry's columns are all null; its content is then a list that begins with null. */
function existing(content: string): string | null {
  return content.startsWith('[null,') ? null : content;
}
