import { htmlResponse, ReportNotFound } from '@/app/reports/[token]/_components/report-html';
import { route } from '@/lib/auth/route';

export const GET = route(
  {
    access: 'public',
    ignoresSession: true,
    summary: 'Responds to mistyped addresses below a client report, without the page of the marketplace.',
    response: { mediaTypes: ['text/html'] },
  },
  async () => htmlResponse(<ReportNotFound />, 404),
);
