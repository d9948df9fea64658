import { z } from 'zod';
import { pageQuery } from '../http/pagination';

/** Rows a page of the audit log. */
export const auditPageSizes = [25, 50, 100, 200] as const;
export const defaultAuditPageSize = 50;

/** GET /api/audit-logs. */
export const auditLogQuery = pageQuery(100, 500).extend({
  q: z.string().trim().max(200).optional(),
  action: z.string().trim().max(100).optional(),
  /** A user's id, or "system" for what nobody signed in for. */
  user: z.string().trim().max(64).optional(),
});
export type AuditLogQuery = z.output<typeof auditLogQuery>;
