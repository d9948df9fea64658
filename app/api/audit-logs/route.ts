import { NextResponse } from 'next/server';
import { listAuditLogs } from '@/lib/audit/queries';
import { auditLogQuery } from '@/lib/audit/schemas';
import { auditLogView } from '@/lib/audit/views';
import { route } from '@/lib/http/route';

/** Newest first: an array, its length over all pages in X-Total-Count. */
export const GET = route({ access: 'ViewAuditLogs', query: auditLogQuery }, async ({ query }) => {
  const { rows, total } = await listAuditLogs(query);
  return NextResponse.json(rows.map(auditLogView), { headers: { 'X-Total-Count': String(total) } });
});
