import type { Executor } from '@/db/client';
import { insertRows } from '@/db/insert-rows';
import { auditLogs } from '@/db/schema/audit';
import { AppError, viewOnlyMessage } from '@/lib/errors';
import { auditKeys, signLine } from './keys';

/** A signed-in user, or a job, webhook or script (`userId` null), which the log shows by its name. */
type AuditedActor = {
  role: string;
  source: string;
  ip: string;
  requestId: string;
  /** The API token that the user made the request with; the details name it. */
  token?: { id: string; name: string };
  /** The name of the team that the user acts for; the details name it. */
  accountName?: string;
  /** Set for a session that only reads (lib/auth/viewing.ts). */
  viewing?: object;
} & ({ userId: string; name?: string; email: string } | { userId: null; name: string });

/**
 * Records an action of an actor in the audit log, in the transaction of the change.
 * @param tx the transaction of the change
 * @throws AppError view_only in a session that only reads, so that the change is rolled back
 */
export async function recordAudit(tx: Executor, actor: AuditedActor, ...entries: AuditEntry[]): Promise<void> {
  if (actor.viewing) throw new AppError('view_only', viewOnlyMessage);
  await insertEntries(tx, buildAuditRows(actor, entries));
}

const insertEntries = insertRows(auditLogs, [
  ...(['action', 'details', 'userId', 'user', 'role', 'amountCents', 'source'] as const),
  ...(['entityType', 'entityId', 'before', 'after', 'ip', 'requestId', 'mac'] as const),
]);

/** Records an action that changes the account of a user: by default the actor's own. */
export const recordUserAudit = (
  tx: Executor,
  actor: AuditedActor,
  action: string,
  details: string,
  userId = actor.userId ?? '',
): Promise<void> => recordAudit(tx, actor, { action, details, entityType: 'user', entityId: userId });

export type AuditEntry = {
  /** A verb in the past tense: order.created, wallet.credited… */
  action: string;
  /** A sentence for readers of the log, without secrets. */
  details: string;
  entityType: string;
  entityId: string | number;
  /** The amount moved in USD cents, if any. */
  amountCents?: number;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/** Builds the rows of the audit log, signed with the first of SECRET_KEYS. */
export function buildAuditRows(actor: AuditedActor, entries: readonly AuditEntry[], [key] = auditKeys()) {
  return entries.map((entry) => toAuditLine(actor, entry)).map((line) => ({ ...line, mac: signLine(line, key) }));
}

/** Half of a pair of surrogates, as at the end of a text that was cut, is stored as U+FFFD: the signature covers that. */
const toStored = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

function toAuditLine(actor: AuditedActor, entry: AuditEntry) {
  const { token, accountName } = actor;
  const team = accountName ? ` In the account “${accountName}”.` : '';
  return {
    action: entry.action,
    details: toStored(`${entry.details}${team}${token ? ` By the API token “${token.name}” (${token.id}).` : ''}`),
    userId: actor.userId,
    user: toStored(actor.userId === null ? actor.name : actor.email),
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

/** The fields that an edit changes, as the audit log stores them. */
type Changes<Row> = {
  /** The names of the changed fields, in the order of the edit. */
  fields: (keyof Row & string)[];
  before: Partial<Row>;
  after: Partial<Row>;
};

/** Compares an edit with the stored row. Undefined and equal values are not changes. */
export function computeChanges<Row extends Record<string, unknown>>(row: Row, edit: Partial<Row>): Changes<Row> {
  const changes: Changes<Row> = { fields: [], before: {}, after: {} };
  for (const field in edit) {
    const requested = edit[field];
    if (requested === undefined || requested === row[field]) continue;
    changes.fields.push(field);
    changes.before[field] = row[field];
    changes.after[field] = requested;
  }
  return changes;
}
