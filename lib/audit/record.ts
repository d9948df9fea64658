import type { Executor } from '../../db/client';
import { auditLogs } from '../../db/schema/audit';
import type { AnyActor } from '../auth/actor';
import { type AuditEntry, auditLines } from './lines';

/**
 * Writes down what an actor did, in the transaction that does it: there is no change without its line.
 * @param tx the transaction of the change
 */
export async function recordAudit(tx: Executor, actor: AnyActor, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const insert = tx.insert(auditLogs).values(auditLines(actor, entries));
  // Prepared for the common case of one line: each number of rows is a statement of its own.
  await (entries.length === 1 ? insert.prepare('audit_line').execute() : insert);
}
