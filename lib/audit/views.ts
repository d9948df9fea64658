import { z } from 'zod';
import { toDecimalString } from '@/lib/money';

import type { AuditLogRow } from './queries';

/** An entry of the audit log, with its entity and changes. */
export type AuditLogView = z.output<typeof auditLogResponse>;

export function auditLogView(row: AuditLogRow): AuditLogView {
  const { id, action, details, user, role, source, entityType, entityId, before, after } = row;
  return {
    ...{ id, action, details, user, role, source, entityType, entityId, before, after },
    timestamp: row.timestamp.toISOString(),
    amount: row.amountCents === null ? null : Number(toDecimalString(row.amountCents)),
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
