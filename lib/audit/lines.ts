import type { AnyActor } from '../auth/actor';
import { auditKeys } from './keys';
import { signLine } from './line-mac';

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

/** The rows of the audit log for what an actor did, authenticated with the first of SECRET_KEYS. */
export function auditLines(actor: AnyActor, entries: readonly AuditEntry[], [key] = auditKeys()) {
  return entries.map((entry) => lineOf(actor, entry)).map((line) => ({ ...line, mac: signLine(line, key) }));
}

function lineOf(actor: AnyActor, entry: AuditEntry) {
  return {
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
  };
}
