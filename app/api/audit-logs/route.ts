import { NextResponse } from 'next/server';
import { z } from 'zod';
import { auditLogAnswer } from '@/lib/audit/answers';
import { listAuditLogs } from '@/lib/audit/queries';
import { auditLogQuery } from '@/lib/audit/schemas';
import { auditLogView } from '@/lib/audit/views';
import { totalCount } from '@/lib/http/answer-headers';
import { route } from '@/lib/http/route';

/** Newest first: an array, its length over all pages in X-Total-Count. */
export const GET = route(
  {
    access: 'ViewAuditLogs',
    summary: 'Who did what, newest first.',
    answer: z.array(auditLogAnswer),
    answerHeaders: totalCount,
    query: auditLogQuery,
  },
  async ({ query }) => {
    const { rows, total } = await listAuditLogs(query);
    return NextResponse.json(rows.map(auditLogView), { headers: { 'X-Total-Count': String(total) } });
  },
);
