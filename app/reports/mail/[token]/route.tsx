import { z } from 'zod';
import { htmlResponse, ReportDocument, ReportNotFound } from '@/app/reports/[token]/_components/report-html';
import { route } from '@/lib/auth/route';
import { findRecipient, stopForRecipient } from '@/lib/orders/client-reports/monthly-mail';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { getTextColor } from '@/lib/settings/branding/colors';

const declared = {
  access: 'public',
  ignoresSession: true,
  params: z.object({ token: z.string() }),
  response: { mediaTypes: ['text/html'] },
  errors: ['rate_limited'],
} as const;

/** Asks first, because mail scanners open links. */
export const GET = route(
  { ...declared, summary: 'Asks whether a recipient turns the monthly client report off.' },
  async ({ params: { token }, ip }) => {
    await consumeLimit('report', { account: '', address: ip });
    const found = await findRecipient(token);
    if (!found) return htmlResponse(<ReportNotFound />, 404);
    if (found.isStopped) return htmlResponse(<MailIsOff />);
    const { brandName: name, brandColor: color, address } = found;
    return htmlResponse(
      <ReportDocument title="Monthly report" brand={{ name, color }} onBrand={getTextColor(color)}>
        <h1>Turn the monthly report off?</h1>
        <p className="muted">{`${address} gets no more reports from ${name}.`}</p>
        <form method="post" action={`/reports/mail/${token}`}>
          <button type="submit">Turn off</button>
        </form>
      </ReportDocument>,
    );
  },
);

export const POST = route(
  { ...declared, summary: 'Turns the monthly client report off for a recipient.' },
  async ({ params: { token }, ip }) => {
    await consumeLimit('report', { account: '', address: ip });
    if (!(await stopForRecipient(token))) return htmlResponse(<ReportNotFound />, 404);
    return htmlResponse(<MailIsOff />);
  },
);

const MailIsOff = () => (
  <ReportDocument title="Monthly report">
    <h1>The monthly report is off</h1>
    <p className="muted">You get no more of these emails.</p>
  </ReportDocument>
);
