import Link from 'next/link';
import { type Column, DataTable } from '@/components/table/data-table';
import { FilterSelect } from '@/components/table/filters';
import { Toolbar } from '@/components/table/record-list';
import { oneParam, readIdPageParams, type SearchParams } from '@/components/table/url';
import { buttonClass } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { formatMonth } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { type DocumentView, monthPath } from '@/lib/invoices/contract';
import type { DocumentReader } from '@/lib/invoices/document-scope';
import { addUpDocuments, documentView, listDocumentMonths, listDocuments } from '@/lib/invoices/list-documents';
import { formatUsd } from '@/lib/money';

const pathname = '/user/billing';

/** Renders the buyer's invoices, credit notes and receipts of a month, with the files of all of them. */
export async function DocumentsSection({
  reader,
  searchParams,
}: {
  reader: DocumentReader;
  searchParams: SearchParams;
}) {
  const months = await listDocumentMonths(reader);
  const asked = oneParam(searchParams, 'month');
  const shown = months.find((month) => month === asked) ?? months[0];
  return (
    <section aria-labelledby="documents" className="mt-8">
      <h2 id="documents" className="mb-3 font-medium text-ink">
        Documents
      </h2>
      {shown ? (
        <MonthOfDocuments reader={reader} month={shown} months={months} searchParams={searchParams} />
      ) : (
        <Card>
          <EmptyState icon={<Icon name="file-text" />} title="No documents yet">
            An invoice is issued for each order, and a receipt for each top-up.
          </EmptyState>
        </Card>
      )}
    </section>
  );
}

type MonthOfDocumentsProps = {
  reader: DocumentReader;
  month: string;
  months: readonly string[];
  searchParams: SearchParams;
};

async function MonthOfDocuments({ reader, month, months, searchParams }: MonthOfDocumentsProps) {
  const page = readIdPageParams(searchParams);
  const [{ netCents, taxCents, paidCents }, { rows, ...counted }] = await Promise.all([
    addUpDocuments(reader, month),
    listDocuments(reader, { ...page.request, month }),
  ]);
  const [newest, ...older] = months;
  return (
    <>
      <Toolbar
        actions={
          <>
            <DownloadLink href={monthPath(month, 'zip')} label="All documents (ZIP)" month={month} />
            <DownloadLink href={monthPath(month, 'csv')} label="CSV" month={month} />
          </>
        }
      >
        <FilterSelect
          param="month"
          label="Month"
          allLabel={newest ? formatMonth(newest) : ''}
          options={older.map((one) => ({ value: one, label: formatMonth(one) }))}
        />
      </Toolbar>
      <p className="mb-3 text-muted text-sm">
        Invoices less credit notes: net {formatUsd(netCents)}, tax {formatUsd(taxCents)}, total{' '}
        {formatUsd(netCents + taxCents)}. Paid in: {formatUsd(paidCents)}. Months are in UTC.
      </p>
      <DataTable
        caption={`Documents of ${formatMonth(month)}`}
        columns={columns}
        rows={rows.map(documentView)}
        rowKey={({ number }) => number}
        pathname={pathname}
        searchParams={searchParams}
        paging={{ ...counted, page }}
        empty={<EmptyState title="No documents in this month" />}
      />
    </>
  );
}

function DownloadLink({ href, label, month }: { href: string; label: string; month: string }) {
  return (
    <a href={href} download="" aria-label={`${label} of ${formatMonth(month)}`} className={buttonClass({ size: 'sm' })}>
      <Icon name="download" className="-ml-0.5" />
      {label}
    </a>
  );
}

const kindNames: Record<DocumentView['kind'], string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  receipt: 'Receipt',
};

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const columns: Column<DocumentView>[] = [
  { key: 'number', header: 'Number', phone: 'title', cell: (row) => <FileLink row={row} /> },
  { key: 'kind', header: 'Kind', className: 'whitespace-nowrap', cell: ({ kind }) => kindNames[kind] },
  { key: 'date', header: 'Date', className: 'whitespace-nowrap', cell: (row) => <IssueDate row={row} /> },
  { key: 'order', header: 'Order', cell: (row) => <OrderLink row={row} /> },
  {
    key: 'net',
    header: 'Net',
    phone: 'hidden',
    align: 'right',
    cell: (row) => <Amount row={row} cents={row.netCents} />,
  },
  {
    key: 'tax',
    header: 'Tax',
    phone: 'hidden',
    align: 'right',
    cell: (row) => <Amount row={row} cents={row.taxCents} />,
  },
  {
    key: 'total',
    header: 'Total',
    phone: 'end',
    align: 'right',
    cell: (row) => <Amount row={row} cents={row.totalCents} className="font-medium text-ink" />,
  },
];

type RowProps = { row: DocumentView };

function FileLink({ row: { number, links } }: RowProps) {
  return (
    <a
      href={links.pdf}
      download=""
      aria-label={`Download ${number} as PDF`}
      className="inline-flex min-h-6 items-center whitespace-nowrap rounded-sm text-accent-ink hover:underline"
    >
      {number}
    </a>
  );
}

function IssueDate({ row: { issuedAt } }: RowProps) {
  return <time dateTime={issuedAt}>{day.format(new Date(issuedAt))}</time>;
}

function OrderLink({ row: { orderId } }: RowProps) {
  if (orderId === null) return <span className="no-value text-muted">–</span>;
  return (
    <Link
      prefetch={false}
      href={`/user/orders/${orderId}`}
      className="inline-flex min-h-6 items-center rounded-sm text-accent-ink tabular-nums hover:underline"
    >
      #{orderId}
    </Link>
  );
}

/** Renders an amount; what a credit note returned has a sign. */
function Amount({ row: { kind }, cents, className }: RowProps & { cents: number; className?: string }) {
  return (
    <Money
      amountMinor={cents}
      {...(kind === 'credit_note' && cents > 0 && { sign: 'debit' as const })}
      {...(className && { className })}
    />
  );
}
