import { z } from 'zod';
import { toDecimalString } from '../money';

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

/** "Order content added" from "order.content_added": every action reads as a few words. */
export function actionLabel(action: string): string {
  const words = action.replace(/[._-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const facts = z.record(z.string(), z.unknown()).nullable();

/** An entry of the audit log (spec 000, section 3), with what it is about and what changed. */
export const auditLogAnswer = z
  .object({
    id: z.int(),
    action: z.string(),
    details: z.string(),
    user: z.string(),
    timestamp: z.iso.datetime(),
    role: z.string(),
    amount: z.number().nullable().describe('USD moved by it, in major units; null for none.'),
    source: z.string(),
    entityType: z.string(),
    entityId: z.string(),
    before: facts,
    after: facts,
  })
  .meta({ title: 'AuditLogEntry' });
