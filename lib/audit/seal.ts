import { desc, eq, inArray, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { z } from 'zod';
import { advisoryLock } from '../../db/advisory-locks';
import { db, type Executor } from '../../db/client';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import { auditLogs, auditSeals, auditUnsealed } from '../../db/schema/audit';
import type { Transaction } from '../../db/transaction';
import { systemActor } from '../access/actor';
import { queueMail } from '../mail/compose';
import { listAdminEmails } from '../mail/security-notices';
import { SecurityNotice } from '../mail/templates/security';
import { auditKeys } from '../platform/audit/keys';
import { recordAudit } from '../platform/audit/record';
import { entryContent, sealHash } from './chain';

/** Small, because the process also answers requests. */
const batchSize = 500;

const locked = z.tuple([z.object({ locked: z.boolean() })]);

/**
 * Appends all unsealed entries of the audit log to the chain, in the order of their ids, with the first of SECRET_KEYS.
 * Does not block writers of the log. An advisory lock allows one sealer at a time; a second one returns immediately.
 * @returns the number of sealed entries
 */
export async function sealAuditLogs(keys = auditKeys()): Promise<Record<'sealed', number>> {
  return db().transaction(async (tx) => {
    const [{ locked: isOurs }] = locked.parse([
      ...(await tx.execute(sql`select pg_try_advisory_xact_lock(${advisoryLock('sealing')}) as locked`)),
    ]);
    if (!isOurs) return { sealed: 0 };
    await extendStatementTimeout(tx);
    const [last] = await tx.select().from(auditSeals).orderBy(desc(auditSeals.position)).limit(1);
    if (last && last.keyId === null) await recordKeyIntroduction(tx, last);
    const [key] = keys;
    let head = { position: last?.position ?? 0, hash: last?.hash ?? '' };
    let sealed = 0;
    for (let batch = await claimBatch(tx); batch.length > 0; batch = await claimBatch(tx)) {
      const sealedAt = new Date();
      const seals = batch.map((entry) => {
        const place = { position: head.position + 1, auditId: entry.auditId, sealedAt };
        head = { position: place.position, hash: sealHash(key, head.hash, { ...place, ...entry }) };
        return { ...place, hash: head.hash, keyId: key.id };
      });
      await tx.insert(auditSeals).values(seals);
      sealed += seals.length;
    }
    return { sealed };
  });
}

/**
 * Records that the chain so far was sealed by a version without keys. The next seal covers its head, and all admins are
 * mailed. This happens once; a second time means that the chain was replaced by one without keys.
 */
async function recordKeyIntroduction(tx: Transaction, head: { position: number; hash: string }): Promise<void> {
  const details = `From here on, the audit log is sealed with SECRET_KEYS. The ${head.position} earlier seals have no key; the last is ${head.position}:${head.hash}.`;
  await recordAudit(tx, systemActor('Audit log', 'job'), {
    action: 'audit.keyed',
    details,
    entityType: 'system',
    entityId: 'audit-log',
    after: head,
  });
  await mailChainNotice(tx, await listAdminEmails(tx), {
    subject: 'The audit log is now sealed with a key',
    text: details,
    advice:
      'This happens once, after the update to the first version that does so. At any other time, it means that the audit log was replaced: compare it with the heads emailed to you.',
  });
}

async function claimBatch(tx: Transaction): Promise<{ auditId: number; content: string | null; mac: string | null }[]> {
  const waiting = await tx
    .select({ auditId: auditUnsealed.auditId, content: entryContent, mac: auditLogs.mac })
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
  return waiting.map(({ content, ...entry }) => ({ ...entry, content: content && nullIfMissing(content) }));
}

/** The columns of a missing entry are all null, and its content is a list that begins with null. */
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
