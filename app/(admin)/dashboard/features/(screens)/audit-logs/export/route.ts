import { exportAuditLogs } from '@/lib/audit/export';
import { exportList } from '@/lib/audit/export-list';
import { auditLogFilter } from '@/lib/audit/schemas';
import { route } from '@/lib/auth/route';
import { csvFile } from '@/lib/platform/csv';

/** Streams the filtered log as a CSV file. */
export const GET = route(
  {
    access: 'ViewAuditLogs',
    summary: 'Exports the filtered audit log as CSV.',
    response: csvFile,
    query: auditLogFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => exportList(actor, 'audit-log', query, (on) => exportAuditLogs(query, on)),
);
