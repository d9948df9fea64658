import { z } from 'zod';
import { pageQuery } from '../platform/http/fields';

/** Rows a page of the audit log. */
export const auditPageSizes = [25, 50, 100, 200] as const;
export const defaultAuditPageSize = 50;

/** Where an entry may come from (lib/access/actor.ts). */
export const auditSources = ['web', 'webhook', 'job', 'script'] as const;

/**
 * A day in UTC. An invalid value filters nothing, so that an edited address still shows a list. PostgreSQL has no year 0
 * (PostgreSQL documentation, 8.5.1), ISO 8601 has.
 */
const day = z.iso
  .date()
  .refine((date) => date >= '0001-01-01')
  .optional()
  .catch(undefined);

/** The filters of the audit log's address, of its export and of the API. */
export const auditLogFilter = z.object({
  q: z.string().trim().max(200).optional(),
  action: z.string().trim().max(100).optional(),
  /** A user's id, or "system" for what nobody signed in for. */
  user: z.string().trim().max(64).optional(),
  /** What an entry is about: order, site, user… */
  entity: z.string().trim().max(64).optional(),
  source: z.enum(auditSources).optional().catch(undefined),
  /** First and last day, both included. */
  from: day,
  to: day,
});
export type AuditLogFilter = z.output<typeof auditLogFilter>;

/** GET /api/audit-logs. */
export const auditLogQuery = pageQuery(100, 500).extend(auditLogFilter.shape);
export type AuditLogQuery = z.output<typeof auditLogQuery>;
