import type { Executor } from '../../db/client';
import { auditLogs } from '../../db/schema/audit';
import type { AnyActor } from '../auth/actor';

export type AuditEntry = {
  /** A verb of the domain in the past tense: order.created, wallet.credited… */
  action: string;
  /** One sentence a person reads, without secrets. */
  details: string;
  entityType: string;
  entityId: string | number;
  /** USD cents moved, if any. */
  amountCents?: number;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/**
 * Writes down what an actor did, in the transaction that does it: there is no change without its line.
 * @param tx the transaction of the change
 */
export async function recordAudit(tx: Executor, actor: AnyActor, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.insert(auditLogs).values(
    entries.map((entry) => ({
      action: entry.action,
      details: entry.details,
      userId: actor.userId,
      user: actor.userId === null ? actor.name : actor.email,
      role: actor.role,
      amountCents: entry.amountCents,
      source: actor.source,
      entityType: entry.entityType,
      entityId: String(entry.entityId),
      before: entry.before,
      after: entry.after,
      ip: actor.ip,
      requestId: actor.requestId,
    })),
  );
}
