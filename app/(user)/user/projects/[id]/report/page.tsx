import type { Metadata } from 'next';
import { loadProject } from '@/app/(user)/user/projects/_components/load-project';
import { PrintButton } from '@/components/invoices/print-button';
import { VerdictBadge } from '@/components/links/check-result';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { type LiveLinkRow, listLiveLinks } from '@/lib/orders/order/project-figures';
import { getBranding } from '@/lib/settings/branding/get-branding';

export const metadata: Metadata = { title: 'Link report' };

/** Links of a printed report; the CSV file has all. */
const maxRows = 500;

/** Renders the live links of a project with their newest checks, to print or save as PDF for the agency's client. */
export default async function LinkReportPage({ params }: { params: Promise<{ id: string }> }) {
  await requirePage('user', 'session');
  const project = await loadProject((await params).id);
  const [{ rows, total, isCapped }, { siteName }] = await Promise.all([
    listLiveLinks(project.id, { limit: maxRows }),
    getBranding(),
  ]);
  return (
    <div className="mx-auto max-w-[60rem]">
      <PageHeader
        title="Link report"
        description="Live links of this project with the result of their newest check."
        actions={
          <>
            <ButtonLink href={`/user/projects/${project.id}?tab=links`}>Back to the project</ButtonLink>
            <PrintButton />
          </>
        }
      />
      <Card>
        <CardBody className="sm:p-10">
          <article data-print-area="" className="grid gap-6 text-sm">
            <header className="grid gap-1">
              <h2 className="wrap-anywhere text-ink text-lg">Links for {project.domain}</h2>
              <p className="text-muted">
                {day.format(new Date())}, {siteName}
              </p>
            </header>
            {rows.length === 0 ? (
              <p className="text-muted">No live links yet.</p>
            ) : (
              <ul className="grid divide-y divide-line">
                {rows.map((row) => (
                  <ReportRow key={row.orderId} row={row} />
                ))}
              </ul>
            )}
            {total > rows.length ? (
              <p className="text-muted">
                The newest {rows.length} of {total.toLocaleString('en-US')}
                {isCapped ? '+' : ''} links. The CSV file has all of them.
              </p>
            ) : null}
          </article>
        </CardBody>
      </Card>
    </div>
  );
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function ReportRow({ row: { linkUrl, targetUrl, anchor, rel, verdict, checkedAt } }: { row: LiveLinkRow }) {
  const facts = [
    anchor ? `“${anchor}”` : '',
    rel ? `rel ${rel}` : '',
    checkedAt ? `checked ${day.format(checkedAt)}` : 'not checked yet',
  ];
  return (
    <li data-print-keep="" className="flex items-start justify-between gap-3 py-2.5">
      <div className="grid min-w-0 gap-0.5">
        <a href={linkUrl} target="_blank" rel="noopener noreferrer" className="wrap-anywhere text-accent-ink">
          {linkUrl}
        </a>
        <span className="wrap-anywhere text-muted text-xs">to {targetUrl}</span>
        <span className="wrap-anywhere text-muted text-xs">{facts.filter(Boolean).join(' · ')}</span>
      </div>
      {verdict ? <VerdictBadge verdict={verdict} /> : null}
    </li>
  );
}
