import type { z } from 'zod';
import { toDecimalString } from '../money';
import type { auditLogAnswer } from './answers';
import type { AuditLogRow } from './queries';

/** An entry of the audit log (spec 000, section 3), with what it is about and what changed. */
export type AuditLogView = z.output<typeof auditLogAnswer>;

export function auditLogView(row: AuditLogRow): AuditLogView {
  return {
    id: row.id,
    action: row.action,
    details: row.details,
    user: row.user,
    timestamp: row.timestamp.toISOString(),
    role: row.role,
    amount: row.amountCents === null ? null : Number(toDecimalString(row.amountCents)),
    source: row.source,
    entityType: row.entityType,
    entityId: row.entityId,
    before: row.before,
    after: row.after,
  };
}
