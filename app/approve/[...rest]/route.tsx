import { ApprovalNotice } from '@/app/approve/[token]/_components/approval-page';
import { htmlResponse } from '@/app/reports/[token]/_components/report-html';
import { route } from '@/lib/auth/route';

export const GET = route(
  {
    access: 'public',
    ignoresSession: true,
    summary: 'Responds to mistyped addresses below the link of a request, without the page of the marketplace.',
    response: { mediaTypes: ['text/html'] },
  },
  async () =>
    htmlResponse(
      <ApprovalNotice heading="This link does not exist" text="Check the address, or ask the sender for a new link." />,
      404,
    ),
);
