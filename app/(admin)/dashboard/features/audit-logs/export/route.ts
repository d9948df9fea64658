import { Readable } from 'node:stream';
import { exportAuditLogs } from '@/lib/audit/export';
import { auditLogFilter } from '@/lib/audit/schemas';
import { route } from '@/lib/http/route';
import { toWebStream } from '@/lib/http/web-stream';

/** The filtered log as a CSV file, sent while it is read. */
export const GET = route({ access: 'ViewAuditLogs', query: auditLogFilter }, async ({ query }) => {
  const file = toWebStream(Readable.from(exportAuditLogs(query), { objectMode: false }));
  const day = new Date().toISOString().slice(0, 10);
  return new Response(file, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-log-${day}.csv"`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
});
