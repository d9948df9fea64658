import { desc } from 'drizzle-orm';
import { db } from '../../db/client';
import { auditLogs } from '../../db/schema/audit';

/** The newest lines of the audit log, for somebody who may ViewAuditLogs. */
export function getLatestActivity(limit = 8) {
  return db()
    .select({
      id: auditLogs.id,
      details: auditLogs.details,
      user: auditLogs.user,
      role: auditLogs.role,
      at: auditLogs.timestamp,
    })
    .from(auditLogs)
    .orderBy(desc(auditLogs.id))
    .limit(limit);
}
