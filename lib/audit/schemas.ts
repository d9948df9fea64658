import { z } from 'zod';

import { choiceParam, numberCursorField, pageQuery } from '@/lib/platform/http/fields';

export const auditPageSizes = [25, 50, 100, 200] as const;
export const defaultAuditPageSize = 50;

/** The origin of an entry (lib/access/actor.ts). */
export const auditSources = ['web', 'token', 'webhook', 'job', 'script'] as const;

const dayMessage = 'Use a date, e.g. 2026-01-31.';
/** A date in UTC. PostgreSQL has no year 0 (PostgreSQL documentation, 8.5.1), unlike ISO 8601. */
const day = z.iso
  .date(dayMessage)
  .refine((date) => date >= '0001-01-01', dayMessage)
  .optional();

/** The filters of the audit log's page, its export and the API. */
export const auditLogFilter = z.object({
  /** A search of one or two characters covers the newest entries only (queries.ts). */
  q: z.string().trim().max(200).optional(),
  action: z.string().trim().max(100).optional(),
  /** A user's id, or "system" for entries without a user. */
  user: z.string().trim().max(64).optional(),
  /** The entity type of an entry: order, site, user… */
  entity: z.string().trim().max(64).optional(),
  source: choiceParam(auditSources).optional(),
  /** The first and last day, inclusive. */
  from: day,
  to: day,
});
export type AuditLogFilter = z.output<typeof auditLogFilter>;

/** GET /api/audit-logs. */
export const auditLogQuery = pageQuery(100, 500).extend({ ...auditLogFilter.shape, cursor: numberCursorField });
export type AuditLogQuery = z.output<typeof auditLogQuery>;
