import { NextResponse } from 'next/server';
import { z } from 'zod';
import { listAuditLogs } from '@/lib/audit/queries';
import { auditLogQuery } from '@/lib/audit/schemas';
import { auditLogResponse, auditLogView } from '@/lib/audit/views';
import { route } from '@/lib/auth/route';
import { totalCount } from '@/lib/platform/http/list-response';

/** Lists audit entries, newest first. X-Total-Count has the total. */
export const GET = route(
  {
    access: 'ViewAuditLogs',
    summary: 'Lists audit log entries, newest first.',
    response: z.array(auditLogResponse),
    responseHeaders: totalCount,
    query: auditLogQuery,
  },
  async ({ query }) => {
    const { rows, total } = await listAuditLogs(query);
    return NextResponse.json(rows.map(auditLogView), { headers: { 'X-Total-Count': String(total) } });
  },
);
