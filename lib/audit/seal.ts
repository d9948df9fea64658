import { desc, eq, gt, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { db, type Executor } from '@/db/client';
import { auditLogs, auditSeals, auditUnsealed } from '@/db/schema/audit';
import type { Transaction } from '@/db/transaction';
import { queueMail } from '@/lib/mail/compose';
import { SecurityNotice } from '@/lib/mail/templates/security';
import { type AuditKey, auditKeys } from '@/lib/platform/audit/keys';
import { entryContent, sealHash } from './chain';

/** Small, because the process also answers requests. */
const batchSize = 500;
/** The job's runs are bounded, so that a backlog does not occupy one instance for minutes. */
const maxEntriesPerRun = 100_000;

const locked = z.tuple([z.object({ locked: z.boolean() })]);

/**
 * Appends unsealed entries of the audit log to the chain, in the order of their ids, with the first of SECRET_KEYS, in
 * one transaction for each batch: a run that is killed is continued by the next one. Does not block writers of the log.
 * @param most the number of entries after which the run ends
 * @returns the number of sealed entries; 0 while another sealer is active
 */
export async function sealAuditLogs(keys = auditKeys(), most: number = maxEntriesPerRun) {
  let sealed = 0;
  let after = Number.MIN_SAFE_INTEGER;
  while (sealed < most) {
    const batch = await sealBatch(keys[0], after, Math.min(batchSize, most - sealed));
    sealed += batch.sealed;
    if (batch.sealed === 0) break;
    after = batch.last;
  }
  return { sealed };
}

/**
 * Seals the next entries. An advisory lock allows one sealer at a time.
 * @param after the last entry of the previous batch: the batch does not read over the deleted rows before it
 */
function sealBatch(key: AuditKey, after: number, limit: number): Promise<{ sealed: number; last: number }> {
  return db().transaction(async (tx) => {
    const [{ locked: isOurs }] = locked.parse([
      ...(await tx.execute(sql`select pg_try_advisory_xact_lock(${advisoryLock('sealing')}) as locked`)),
    ]);
    if (!isOurs) return { sealed: 0, last: after };
    const [previous] = await tx.select().from(auditSeals).orderBy(desc(auditSeals.position)).limit(1);
    let head = { position: previous?.position ?? 0, hash: previous?.hash ?? '' };
    const sealedAt = new Date();
    const seals = (await claimEntries(tx, after, limit)).map((entry) => {
      const place = { position: head.position + 1, auditId: entry.auditId, sealedAt };
      head = { position: place.position, hash: sealHash(key, head.hash, { ...place, ...entry }) };
      return { ...place, hash: head.hash, keyId: key.id };
    });
    if (seals.length > 0) await tx.insert(auditSeals).values(seals);
    return { sealed: seals.length, last: seals.at(-1)?.auditId ?? after };
  });
}

type Claimed = { auditId: number; content: string | null; mac: string | null };

async function claimEntries(tx: Transaction, after: number, limit: number): Promise<Claimed[]> {
  const waiting = await tx
    .select({ auditId: auditUnsealed.auditId, content: entryContent, mac: auditLogs.mac })
    .from(auditUnsealed)
    .leftJoin(auditLogs, eq(auditLogs.id, auditUnsealed.auditId))
    .where(gt(auditUnsealed.auditId, after))
    .orderBy(auditUnsealed.auditId)
    .limit(limit);
  const ids = sql.param(waiting.map(({ auditId }) => auditId));
  await tx.delete(auditUnsealed).where(sql`${auditUnsealed.auditId} = any(${ids}::bigint[])`);
  return waiting.map(({ content, ...entry }) => ({ ...entry, content: content && nullIfMissing(content) }));
}

/** Returns null for a missing entry: its columns are all null, and its content is a list that begins with null. */
function nullIfMissing(content: string): string | null {
  return content.startsWith('[null,') ? null : content;
}

/** Mails a notice about the audit log's chain. @param to the recipients; nothing is mailed when empty */
export async function mailChainNotice(
  tx: Executor,
  to: readonly string[],
  { subject, text, advice }: { subject: string; text: string; advice: string },
): Promise<void> {
  if (to.length === 0) return;
  await queueMail(tx, {
    kind: 'audit-head',
    to: [...to],
    subject,
    body: (context) =>
      createElement(SecurityNotice, {
        ...context,
        ...{ heading: subject, text, advice },
        url: `${context.appUrl}/dashboard/features/audit-logs`,
        linkLabel: 'Open the audit log',
      }),
  });
}
