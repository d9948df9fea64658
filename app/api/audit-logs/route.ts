import { z } from 'zod';
import { listAuditLogs } from '@/lib/audit/queries';
import { auditLogQuery } from '@/lib/audit/schemas';
import { auditLogResponse, auditLogView } from '@/lib/audit/views';
import { route } from '@/lib/auth/route';
import { cursorHeaders, pageResponse } from '@/lib/platform/http/list-response';

/** Lists audit entries, newest first. X-Total-Count has the total, up to a limit. */
export const GET = route(
  {
    access: 'ViewAuditLogs',
    summary: 'Lists audit log entries, newest first.',
    response: z.array(auditLogResponse),
    responseHeaders: cursorHeaders,
    query: auditLogQuery,
  },
  async ({ query }) => pageResponse(await listAuditLogs(query), auditLogView),
);
