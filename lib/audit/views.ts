import { z } from 'zod';
import { toDecimalString } from '@/lib/money';

import type { AuditLogRow } from './queries';

/** An entry of the audit log, with its entity and changes. */
export type AuditLogView = z.output<typeof auditLogResponse>;

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

/**
 * Formats an action as words: "Order content added" from "order.content_added". Stored actions are spelled "cancelled",
 * which is displayed as "canceled", like on every screen.
 */
export function formatAction(action: string): string {
  const words = action
    .replace(/[._-]+/g, ' ')
    .replace('cancelled', 'canceled')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const facts = z.record(z.string(), z.unknown()).nullable();

/** The schema of an entry of the audit log. */
export const auditLogResponse = z
  .object({
    id: z.int(),
    action: z.string(),
    details: z.string(),
    user: z.string(),
    timestamp: z.iso.datetime(),
    role: z.string(),
    amount: z.number().nullable().describe('The amount moved, in USD major units; null if none.'),
    source: z.string(),
    entityType: z.string(),
    entityId: z.string(),
    before: facts,
    after: facts,
  })
  .meta({ title: 'AuditLogEntry' });
