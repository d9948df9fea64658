import { z } from 'zod';
import { route } from '@/lib/auth/route';
import {
  createdReportResponse,
  createReportBody,
  maxReportBytes,
  reportResponse,
} from '@/lib/orders/client-reports/contract';
import { createReport, listReports } from '@/lib/orders/client-reports/reports';
import { projectIdParams } from '@/lib/projects/contract';

export const GET = route(
  {
    access: 'account:orders',
    params: projectIdParams,
    summary: 'Lists the client reports of an own project, newest first.',
    response: z.array(reportResponse),
    errors: ['not_found'],
  },
  ({ actor, params }) => listReports(actor, params.id),
);

export const POST = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    params: projectIdParams,
    body: createReportBody,
    maxBodyBytes: maxReportBytes,
    status: 201,
    summary: 'Creates a client report of an own project, with a public address.',
    response: createdReportResponse,
    errors: ['not_found', 'conflict', 'too_large', 'unsupported_type'],
  },
  ({ actor, params, body }) => createReport(actor, params.id, body),
);
