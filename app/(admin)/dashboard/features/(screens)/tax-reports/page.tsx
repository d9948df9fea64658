import Link from 'next/link';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, moneyColumn, noValue } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { IgnoredValues } from '@/components/table/ignored-values';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { StatTile, tileGrid } from '@/components/ui/stat-tile';
import { Tabs } from '@/components/ui/tabs';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { type OssRow, ossReportQuery, readOssReport } from '@/lib/dashboard/tax-reports/oss';
import { currentMonth, quarterOf, shiftQuarter } from '@/lib/dashboard/tax-reports/periods';
import { readTaxReport, type TaxReportRow, taxReportQuery } from '@/lib/dashboard/tax-reports/tax';
import { formatAccountingTax } from '@/lib/invoices/format-tax';
import { parseFilters } from '@/lib/platform/http/parse';
import { formatTaxRate } from '@/lib/tax/amounts';
import { categoryNames, documentsPath, monthOptions, nameCountry, reportsPath } from './_components/report-words';

const texts = screenTexts(reportsPath);

export const metadata = { title: texts.title };

type Shown = { actor: Actor; params: SearchParams };

export default async function TaxReportsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageWallets');
  const params = await searchParams;
  const isOss = oneParam(params, 'view') === 'oss';
  return (
    <>
      <PageHeader {...texts} />
      <div className="mb-4">
        <Tabs
          label="Tax reports"
          tabs={[
            { href: reportsPath, label: 'Tax', current: !isOss },
            { href: `${reportsPath}?view=oss`, label: 'One Stop Shop', current: isOss },
          ]}
        />
      </div>
      {isOss ? <OssReport {...{ actor, params }} /> : <TaxReport {...{ actor, params }} />}
    </>
  );
}

const keyOf = ({ period, country, rate, category, accounting }: TaxReportRow) =>
  [period, country, rate, category, accounting?.currency].join(' ');

async function TaxReport({ actor, params }: Shown) {
  const { filter, ignored } = parseFilters(taxReportQuery, readFilters(params, ['from', 'to', 'by']));
  const { rows, totals, bookedTaxCents, ...months } = await readTaxReport(filter, actor);
  const { by } = filter;
  const options = monthOptions(currentMonth());
  const hrefOf = (row: TaxReportRow, kind: 'invoice' | 'credit_note') => documentsOf(row, kind, months);
  const columns: Column<TaxReportRow>[] = [
    { header: 'Period', phone: 'end', className: 'whitespace-nowrap', cell: ({ period }) => period },
    { header: 'Country', phone: 'title', cell: ({ country }) => nameCountry(country) },
    { header: 'Rate', align: 'right', cell: ({ rate }) => formatTaxRate(rate) },
    { header: 'Category', cell: ({ category }) => categoryNames[category] },
    {
      header: 'Net',
      phone: 'labeled',
      align: 'right',
      cell: (row) => <Figure cents={row.netCents} count={row.invoices} href={hrefOf(row, 'invoice')} name="invoices" />,
    },
    moneyColumn<TaxReportRow>('Tax', ({ taxCents }) => [taxCents], undefined, 'labeled'),
    {
      header: 'Credited net',
      phone: 'labeled',
      align: 'right',
      cell: (row) => (
        <Figure
          cents={row.creditedNetCents}
          count={row.creditNotes}
          href={hrefOf(row, 'credit_note')}
          name="credit notes"
        />
      ),
    },
    moneyColumn<TaxReportRow>('Credited tax', ({ creditedTaxCents }) => [creditedTaxCents], undefined, 'labeled'),
    { header: 'In accounts', phone: 'labeled', align: 'right', cell: (row) => <Accounting row={row} /> },
  ];
  const taxCents = totals.taxCents - totals.creditedTaxCents;
  const tile = (label: string, cents: number, hint: string, href?: string) => (
    <StatTile label={label} value={<Money amountMinor={cents} />} hint={hint} {...(href && { href })} />
  );
  const documents = (kind?: string) => withParams(documentsPath, {}, { ...months, kind });
  return (
    <RecordList
      {...{ columns, rows }}
      caption="Tax by period, country and rate"
      rowKey={keyOf}
      wide
      pathname={reportsPath}
      searchParams={params}
      filters={[
        { param: 'from', label: 'First month', allLabel: `From ${months.from}`, options },
        { param: 'to', label: 'Last month', allLabel: `To ${months.to}`, options },
        { param: 'by', label: 'Rows', allLabel: 'By month', options: [{ value: 'quarter', label: 'By quarter' }] },
      ]}
      hasClearLink={false}
      listActions={<CsvLink report="tax" filter={{ ...months, by }} />}
      note={<IgnoredValues names={ignored} />}
      empty={{
        icon: <Icon name="calculator" />,
        title: 'No documents in these months',
        children: 'Choose other months. Documents belong to the day on which the money moved.',
      }}
    >
      <div className={`mb-4 ${tileGrid}`}>
        {tile('Net', totals.netCents, 'of invoices', documents('invoice'))}
        {tile('Credited net', totals.creditedNetCents, 'of credit notes', documents('credit_note'))}
        {tile('Tax', taxCents, 'less credited tax', documents())}
        {tile('Tax in the books', bookedTaxCents, 'added to the tax accounts')}
      </div>
      {taxCents === bookedTaxCents ? null : (
        <Alert tone="warning" className="mb-4">
          The documents and the books differ by <Money amountMinor={bookedTaxCents - taxCents} />. Documents of the
          newest payments are issued within a minute. If the difference stays, check the books in the Wallet Manager.
        </Alert>
      )}
    </RecordList>
  );
}

/** Returns the list of the documents that a figure is the sum of. */
function documentsOf(row: TaxReportRow, kind: 'invoice' | 'credit_note', months: { from: string; to: string }): string {
  const { period, country, rate, category, accounting } = row;
  const [from, to] = period.includes('Q') ? monthsOf(period) : [period, period];
  return withParams(
    documentsPath,
    {},
    {
      from: [from, months.from].sort()[1],
      to: [to, months.to].sort()[0],
      ...{ kind, rate, category, country: country || 'none', currency: accounting?.currency ?? 'none' },
    },
  );
}

/** Returns the first and the last month of a quarter. */
function monthsOf(quarter: string): [string, string] {
  const last = 3 * Number(quarter.slice(6));
  const nameOf = (month: number) => `${quarter.slice(0, 4)}-${String(month).padStart(2, '0')}`;
  return [nameOf(last - 2), nameOf(last)];
}

type FigureProps = { cents: number; count: number; href: string; name: string };

/** Shows an amount with the number of its documents, which it opens. */
function Figure({ cents, count, href, name }: FigureProps) {
  if (count === 0) return noValue;
  return (
    <Link prefetch={false} href={href} className="inline-grid rounded-sm text-accent-ink hover:underline">
      <Money amountMinor={cents} />
      <span className="text-xs">
        {count.toLocaleString('en-US')} {count === 1 ? name.slice(0, -1) : name}
      </span>
    </Link>
  );
}

/** Shows what remains of tax in the currency of the operator's country. */
function Accounting({ row: { accounting } }: { row: TaxReportRow }) {
  if (!accounting) return noValue;
  const { currency, taxMinor, creditedTaxMinor } = accounting;
  return (
    <span className="whitespace-nowrap">
      {formatAccountingTax({ currency, taxMinor: taxMinor - creditedTaxMinor })}
    </span>
  );
}

/** Renders the link that downloads a report as CSV. */
function CsvLink({ report, filter }: { report: 'tax' | 'oss'; filter: Record<string, string> }) {
  return <ExportLink address={`/api/admin/reports/${report}`} filter={{ ...filter, format: 'csv' }} />;
}

const shownQuarters = 12;

async function OssReport({ actor, params }: Shown) {
  const { filter, ignored } = parseFilters(ossReportQuery, readFilters(params, ['quarter']));
  const { quarter } = filter;
  const { rate, supplies, corrections } = await readOssReport(quarter, actor);
  const newest = quarterOf(currentMonth());
  const frame = { pathname: reportsPath, searchParams: params };
  const hrefOf = (row: OssRow) => ossDocuments(row, quarter);
  const columns = ossColumns(hrefOf);
  return (
    <>
      <RecordList
        {...frame}
        caption="Supplies by country of consumption and rate"
        columns={columns}
        rows={supplies}
        rowKey={ossKey}
        filters={[
          {
            param: 'quarter',
            label: 'Quarter',
            allLabel: quarter,
            options: Array.from({ length: shownQuarters }, (_, back) => shiftQuarter(newest, -back)),
          },
        ]}
        hasClearLink={false}
        listActions={<CsvLink report="oss" filter={{ quarter }} />}
        note={
          <>
            <IgnoredValues names={ignored} />
            <p className="mb-3 text-muted text-sm">
              {rate
                ? `Converted at the European Central Bank’s rate of ${rate.day}: €1 is $${rate.usdMicrosPerUnit / 1_000_000}.`
                : 'The rate of the last day of the quarter is not known yet, so there are no amounts in euros.'}
            </p>
          </>
        }
        empty={{
          icon: <Icon name="calculator" />,
          title: 'No supplies in this quarter',
          children: 'Listed are taxed supplies to buyers without a VAT id in other member states.',
        }}
      />
      <h2 className="mt-8 mb-3 font-medium text-ink">Corrections of earlier quarters</h2>
      <RecordList
        {...frame}
        caption="Corrections of earlier quarters"
        columns={[{ header: 'Quarter', phone: 'end', cell: ({ quarter: corrected }) => corrected }, ...columns]}
        rows={corrections}
        rowKey={ossKey}
        empty={{
          icon: <Icon name="calculator" />,
          title: 'No corrections',
          children: 'Nothing was returned of earlier quarters.',
        }}
      />
    </>
  );
}

const ossKey = ({ quarter, country, rate }: OssRow) => `${quarter} ${country} ${rate}`;

const euros = (cents: number | null) => (cents === null ? noValue : <Money amountMinor={cents} currency="EUR" />);

const ossColumns = (hrefOf: (row: OssRow) => string): Column<OssRow>[] => [
  { header: 'Country', phone: 'title', className: 'w-full', cell: ({ country }) => nameCountry(country) },
  { header: 'Rate', align: 'right', cell: ({ rate }) => formatTaxRate(rate) },
  { header: 'Net', phone: 'labeled', align: 'right', cell: ({ netEurCents }) => euros(netEurCents) },
  { header: 'Tax', phone: 'labeled', align: 'right', cell: ({ taxEurCents }) => euros(taxEurCents) },
  {
    header: 'Net in USD',
    phone: 'labeled',
    align: 'right',
    cell: (row) => (
      <Link prefetch={false} href={hrefOf(row)} className="rounded-sm text-accent-ink hover:underline">
        <Money amountMinor={row.netCents} />
      </Link>
    ),
  },
  moneyColumn('Tax in USD', ({ taxCents }) => [taxCents], undefined, 'labeled'),
];

/** Returns the list of the documents that a figure of the return of a quarter is the sum of. */
const ossDocuments = ({ quarter: supplied, country, rate }: OssRow, oss: string): string =>
  withParams(documentsPath, {}, { oss, supplied, country, rate });
