import Link from 'next/link';
import { payoutTabs } from '@/app/(admin)/dashboard/features/(screens)/payouts/_components/payout-tabs';
import { ProtectedDownload } from '@/components/security/protected-download';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, moneyColumn, UserName } from '@/components/table/data-table';
import { IgnoredValues } from '@/components/table/ignored-values';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, type SearchParams, withParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { ButtonLink, buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { requirePage } from '@/lib/auth/page-guard';
import {
  type Dac7Seller,
  readDac7Page,
  readUsSellers,
  sellerReportQuery,
  type UsSeller,
} from '@/lib/dashboard/tax-reports/sellers';
import { findThresholds } from '@/lib/dashboard/tax-reports/thresholds';
import { formatUsd } from '@/lib/money';
import { nameOfMethod } from '@/lib/payouts/methods/show';
import { parseFilters } from '@/lib/platform/http/parse';

const pathname = '/dashboard/features/payouts/tax-reports';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const shownYears = 6;

export default async function SellerReportsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayouts');
  const params = await searchParams;
  const { filter, ignored } = parseFilters(sellerReportQuery, readFilters(params, ['year']));
  const { year } = filter;
  const isUs = oneParam(params, 'view') === '1099';
  const report = isUs ? '1099' : 'dac7';
  const current = new Date().getUTCFullYear();
  const frame = {
    pathname,
    searchParams: params,
    filters: [
      {
        param: 'year',
        label: 'Year',
        allLabel: String(year),
        options: Array.from({ length: shownYears }, (_, back) => String(current - back)),
      },
    ],
    hasClearLink: false,
    listActions: (
      <ProtectedDownload
        href={withParams(`/api/admin/reports/${report}`, {}, { year, format: 'csv' })}
        className={buttonClass({ size: 'sm' })}
      >
        <Icon name="download" className="-ml-0.5" />
        Export CSV
      </ProtectedDownload>
    ),
  };
  return (
    <>
      <PageHeader {...texts} />
      <div className="mb-6 grid gap-4">
        <Tabs label="Payout views" tabs={payoutTabs('reports')} />
        <Tabs
          label="Reports"
          tabs={[
            { href: pathname, label: 'DAC7', current: !isUs },
            { href: `${pathname}?view=1099`, label: '1099', current: isUs },
          ]}
        />
      </div>
      <IgnoredValues names={ignored} />
      {isUs ? (
        <UsSellers year={year} frame={frame} />
      ) : (
        <Dac7 year={year} frame={frame} after={Number(/^\d{1,15}$/.exec(oneParam(params, 'after'))?.[0] ?? 0)} />
      )}
    </>
  );
}

type Frame = Pick<
  Parameters<typeof RecordList>[0],
  'pathname' | 'searchParams' | 'filters' | 'hasClearLink' | 'listActions'
>;

const nameOf = ({ name, email }: { name: string; email: string }) => <UserName name={name} email={email} />;

const placementsOf = ({ placements }: { placements: number }) => placements.toLocaleString('en-US');

/** An amount that opens its documents. */
function LinkedAmount({ cents, href }: { cents: number; href: string | null }) {
  if (href === null) return <Money amountMinor={cents} className="font-medium text-ink" />;
  return (
    <Link prefetch={false} href={href} className="rounded-sm font-medium text-accent-ink hover:underline">
      <Money amountMinor={cents} />
    </Link>
  );
}

/** Returns the statements of a seller in a year; null without an agreement to self-billing, which they are issued under. */
const statementsOf = ({ id: seller, legalName }: Dac7Seller, year: number): string | null =>
  legalName ? withParams('/dashboard/features/payouts/statements', {}, { seller, year }) : null;

const dac7Columns = (year: number): Column<Dac7Seller>[] => [
  { header: 'Seller', phone: 'title', className: 'w-full max-w-0 min-w-44', cell: nameOf },
  { header: 'Country', phone: 'labeled', cell: ({ country }) => country || '–' },
  { header: 'Tax ID', phone: 'labeled', cell: ({ taxId }) => taxId || '–' },
  {
    header: 'Account',
    phone: 'labeled',
    className: 'whitespace-nowrap',
    cell: ({ payoutMethod }) => accountOf(payoutMethod),
  },
  ...[1, 2, 3, 4].map(
    (number): Column<Dac7Seller> => ({
      header: `Q${number}`,
      phone: 'hidden',
      align: 'right',
      cell: ({ quarters }) => {
        const found = quarters.find(({ quarter }) => quarter === number);
        return found ? <Money amountMinor={found.amountCents} /> : '–';
      },
    }),
  ),
  {
    header: 'Year',
    phone: 'end',
    align: 'right',
    cell: (row) => <LinkedAmount cents={row.amountCents} href={statementsOf(row, year)} />,
  },
  moneyColumn('Fees', ({ feeCents }) => [feeCents], undefined, 'labeled'),
  { header: 'Placements', phone: 'labeled', align: 'right', cell: placementsOf },
];

const accountOf = (method: Dac7Seller['payoutMethod']) => (method ? nameOfMethod(method) : 'None');

async function Dac7({ year, after, frame }: { year: number; after: number; frame: Frame }) {
  const { sellers, next } = await readDac7Page(year, after);
  const link = (position: number | null) => withParams(pathname, frame.searchParams, { after: position });
  return (
    <>
      <RecordList
        {...frame}
        caption="Sellers with amounts"
        columns={dac7Columns(year)}
        rows={sellers}
        rowKey={({ id }) => id}
        wide
        note={
          <p className="mb-3 text-muted text-sm">
            What became payable to each seller, before the fees of payouts. The threshold of 30 sales and €2,000 is for
            goods only, so every seller with an amount is listed.
          </p>
        }
        empty={{ icon: <Icon name="users" />, title: 'No amounts in this year', children: 'Choose another year.' }}
      />
      <nav aria-label="Pages" className="mt-4 flex justify-end gap-2">
        {after > 0 ? <ButtonLink href={link(null)}>First page</ButtonLink> : null}
        {next === null ? null : <ButtonLink href={link(next)}>Next page</ButtonLink>}
      </nav>
    </>
  );
}

const payoutsOf = ({ email }: UsSeller): string =>
  withParams('/dashboard/features/payouts', {}, { q: email, state: 'paid' });

const usColumns: Column<UsSeller>[] = [
  { header: 'Seller', phone: 'title', className: 'w-full max-w-0 min-w-44', cell: nameOf },
  { header: 'Tax ID', phone: 'labeled', cell: ({ taxId }) => taxId || '–' },
  {
    header: 'Paid',
    phone: 'end',
    align: 'right',
    cell: (row) => <LinkedAmount cents={row.paidCents} href={payoutsOf(row)} />,
  },
  { header: 'Payouts', phone: 'labeled', align: 'right', cell: ({ payouts }) => payouts.toLocaleString('en-US') },
  { header: 'Placements', phone: 'labeled', align: 'right', cell: placementsOf },
  { header: 'Above', phone: 'line', cell: (row) => <AboveThresholds row={row} /> },
];

function AboveThresholds({ row: { isAboveNec, isAboveK } }: { row: UsSeller }) {
  return (
    <span className="flex flex-wrap gap-1">
      {isAboveNec ? <Badge>1099-NEC</Badge> : null}
      {isAboveK ? <Badge>1099-K</Badge> : null}
    </span>
  );
}

async function UsSellers({ year, frame }: { year: number; frame: Frame }) {
  const sellers = await readUsSellers(year);
  const { from, nec, k } = findThresholds(year);
  return (
    <RecordList
      {...frame}
      caption="Sellers in the United States above a threshold"
      columns={usColumns}
      rows={sellers}
      rowKey={({ id }) => id}
      note={
        <p className="mb-3 text-muted text-sm">
          Thresholds since {from}: 1099-NEC {formatUsd(nec.amountCents)} or more; 1099-K more than{' '}
          {formatUsd(k.amountCents)} and more than {k.transactions} placements. Sellers count by the country of their
          self-billing agreement and the payouts that were paid in the year.
        </p>
      }
      empty={{
        icon: <Icon name="users" />,
        title: 'No sellers above a threshold',
        children: 'Sellers in the United States are known by the country of their self-billing agreement.',
      }}
    />
  );
}
