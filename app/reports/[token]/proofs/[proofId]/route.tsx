import { z } from 'zod';
import { htmlResponse, ReportDocument, ReportNotFound } from '@/app/reports/[token]/_components/report-html';
import { brandOf, PasswordPage } from '@/app/reports/[token]/_components/report-page';
import { route } from '@/lib/auth/route';
import { findOpenReport, mayRead, readLogoUrl } from '@/lib/orders/client-reports/open';
import { findReportProof } from '@/lib/orders/client-reports/proof';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

export const GET = route(
  {
    access: 'public',
    ignoresSession: true,
    summary: 'Shows a link passport of a client report, without who signed it.',
    params: z.object({ token: z.string(), proofId: z.string() }),
    response: { mediaTypes: ['text/html'] },
    errors: ['rate_limited'],
  },
  async ({ params: { token, proofId }, request, ip }) => {
    await consumeLimit('report', { account: '', address: ip });
    const report = await findOpenReport(token);
    if (!report) return htmlResponse(<ReportNotFound />, 404);
    if (!mayRead(report, request.cookies.get('report_access')?.value)) {
      return htmlResponse(<PasswordPage report={report} token={token} />, 403);
    }
    const proof = await findReportProof(report, proofId);
    if (!proof) return htmlResponse(<ReportNotFound />, 404);
    const { statement, state } = proof;
    const facts: [string, string][] = [
      ['Page', statement.page],
      ['Final address', statement.finalUrl],
      ['Target', statement.target],
      ['Anchor', statement.anchor],
      ['Rel', statement.rel || 'dofollow'],
      [
        'Search engines',
        statement.indexable === null
          ? 'Unknown'
          : statement.indexable
            ? 'May index the page'
            : 'May not index the page',
      ],
      ['Result', statement.verdict === 'ok' ? 'In place' : 'In place, with differences from what was ordered'],
      ['Checked (UTC)', statement.checkedAt.slice(0, 16).replace('T', ' ')],
      ['SHA-256 of the text', statement.textHash],
      ['Passport', statement.id],
    ];
    return htmlResponse(
      <ReportDocument title="Link passport" brand={brandOf(report, await readLogoUrl(report))}>
        <h1>Link passport</h1>
        <p className="muted">
          {state === 'valid'
            ? 'What a check of this link found. The statement was signed at the time of the check, and its signature is valid.'
            : 'This passport is no longer valid. Do not rely on it.'}
        </p>
        <section className="card">
          <table>
            <tbody>
              {facts.map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <p className="no-print">
          <a href={`/reports/${token}`}>Back to the report</a>
        </p>
      </ReportDocument>,
    );
  },
);
