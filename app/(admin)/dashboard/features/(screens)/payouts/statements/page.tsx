import Link from 'next/link';
import { payoutTabs } from '@/app/(admin)/dashboard/features/(screens)/payouts/_components/payout-tabs';
import { screenTexts } from '@/components/shell/screen-texts';
import { IgnoredValues } from '@/components/table/ignored-values';
import { readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { StatementsTable } from '@/components/wallet/statements-table';
import { requirePage } from '@/lib/auth/page-guard';
import { statementsQuery } from '@/lib/earnings/self-billing/contract';
import { listStatements } from '@/lib/earnings/self-billing/queries';
import { statementRow } from '@/lib/invoices/self-billed';
import { parseFilters } from '@/lib/platform/http/parse';

const pathname = '/dashboard/features/payouts/statements';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function StatementsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayouts');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const { filter, ignored } = parseFilters(statementsQuery, readFilters(params, ['seller', 'year']));
  const { rows, ...counted } = await listStatements(filter.seller, page.request, filter.year);
  const year = new Date().getUTCFullYear();
  return (
    <>
      <PageHeader
        {...texts}
        actions={[year - 1, year].map((one) => (
          <a key={one} href={`${pathname}/export?year=${one}`} download="" className={buttonClass({})}>
            <Icon name="download" />
            Export {one}
          </a>
        ))}
      />
      <div className="mb-6">
        <Tabs label="Payout views" tabs={payoutTabs('statements')} />
      </div>
      <IgnoredValues names={ignored} />
      {filter.seller || filter.year ? (
        <p className="mb-3 text-muted text-sm">
          {filter.seller ? 'Statements of one seller' : 'Statements'}
          {filter.year ? ` for ${filter.year}` : ''}.{' '}
          <Link prefetch={false} href={pathname} className="rounded-sm text-accent-ink underline">
            Show all
          </Link>
        </p>
      ) : null}
      <StatementsTable
        rows={rows.map(statementRow)}
        hasSeller
        pathname={pathname}
        searchParams={params}
        paging={{ ...counted, page }}
        empty={
          <EmptyState icon={<Icon name="file-text" />} title="No statements yet">
            A statement is issued after the end of each month for every seller who agreed to self-billing.
          </EmptyState>
        }
      />
    </>
  );
}
