import { exportAuditLogs } from '@/lib/audit/export';
import { auditLogFilter } from '@/lib/audit/schemas';
import { route } from '@/lib/auth/route';
import { csvFile, csvResponse } from '@/lib/platform/csv';

/** Streams the filtered log as a CSV file. */
export const GET = route(
  {
    access: 'ViewAuditLogs',
    summary: 'Exports the filtered audit log as CSV.',
    response: csvFile,
    query: auditLogFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => csvResponse(actor, 'audit-log', (on) => exportAuditLogs(query, on)),
);
