import { desc, ne } from 'drizzle-orm';
import { db } from '../../db/client';
import { auditLogs } from '../../db/schema/audit';

/** What was changed last, from the audit log, for somebody who may ViewAuditLogs; sign-ins would drown the rest. */
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
    .where(ne(auditLogs.action, 'session.started'))
    .orderBy(desc(auditLogs.id))
    .limit(limit);
}
