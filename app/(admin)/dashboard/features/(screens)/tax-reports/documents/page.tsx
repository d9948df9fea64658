import Link from 'next/link';
import {
  categoryNames,
  documentsPath,
  monthOptions,
  nameCountry,
  reportsPath,
} from '@/app/(admin)/dashboard/features/(screens)/tax-reports/_components/report-words';
import { DocumentOrder } from '@/components/orders/order-links';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, TwoLines } from '@/components/table/data-table';
import { IgnoredValues } from '@/components/table/ignored-values';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { StatTile, twoTileGrid } from '@/components/ui/stat-tile';
import { TimeAgo } from '@/components/ui/time-ago';
import { onReplica } from '@/db/replicas';
import { taxCategories } from '@/db/schema/tax';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { listTaxDocuments, type TaxDocument, taxDocumentsQuery } from '@/lib/dashboard/tax-reports/documents';
import { currentMonth, resolveMonths } from '@/lib/dashboard/tax-reports/periods';
import { documentPath } from '@/lib/invoices/contract';
import { parseFilters } from '@/lib/platform/http/parse';
import { formatTaxRate } from '@/lib/tax/amounts';

const texts = screenTexts(documentsPath);

export const metadata = { title: texts.title };

const names = ['from', 'to', 'kind', 'country', 'rate', 'category', 'currency', 'oss', 'supplied'] as const;

export default async function TaxDocumentsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageWallets');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const { filter, ignored } = parseFilters(taxDocumentsQuery, readFilters(params, names));
  const months = resolveMonths(filter);
  const { netCents, taxCents, ...found } = await onReplica(actor, (on) => listTaxDocuments(filter, page.request, on));
  const mayOpen = hasPermission(actor, 'ManageOrders');
  const options = monthOptions(currentMonth());
  const { country, rate, oss, supplied } = filter;
  const of = [
    oss ? `One Stop Shop ${oss}` : '',
    oss && supplied && supplied !== oss ? `supplied in ${supplied}` : '',
    country === undefined ? '' : nameCountry(country === 'none' ? '' : country),
    rate === undefined ? '' : formatTaxRate(rate),
  ].filter(Boolean);
  return (
    <>
      <Link
        prefetch={false}
        href={withParams(reportsPath, {}, oss ? { view: 'oss', quarter: oss } : months)}
        className="mb-3 inline-flex items-center gap-1.5 rounded-sm text-accent-ink text-sm hover:underline"
      >
        <Icon name="arrow-left" />
        Tax reports
      </Link>
      <RecordList
        {...texts}
        {...found}
        {...{ page, filter }}
        caption="Documents"
        columns={columnsOf(mayOpen)}
        rowKey={({ id }) => id}
        pathname={documentsPath}
        searchParams={params}
        filters={[
          ...(oss
            ? []
            : [
                { param: 'from', label: 'First month', allLabel: `From ${months.from}`, options },
                { param: 'to', label: 'Last month', allLabel: `To ${months.to}`, options },
              ]),
          {
            param: 'kind',
            label: 'Kind',
            allLabel: 'All documents',
            options: [
              { value: 'invoice', label: 'Invoices' },
              { value: 'credit_note', label: 'Credit notes' },
            ],
          },
          {
            param: 'category',
            label: 'Category',
            allLabel: 'All categories',
            options: taxCategories.map((value) => ({ value, label: categoryNames[value] })),
          },
        ]}
        note={<IgnoredValues names={ignored} />}
        records="documents"
        empty={{
          icon: <Icon name="receipt-text" />,
          title: 'No documents in these months',
          children: 'Choose other months.',
        }}
      >
        <div className={`mb-4 ${twoTileGrid}`}>
          <StatTile
            label={['Net', ...of].join(', ')}
            value={<Money amountMinor={netCents} />}
            hint={`${found.total.toLocaleString('en-US')} documents, credit notes subtracted`}
          />
          <StatTile label={['Tax', ...of].join(', ')} value={<Money amountMinor={taxCents} />} />
        </div>
      </RecordList>
    </>
  );
}

const columnsOf = (mayOpen: boolean): Column<TaxDocument>[] => [
  {
    header: 'Document',
    phone: 'title',
    className: 'whitespace-nowrap',
    cell: (row) => <DocumentLinks row={row} mayOpen={mayOpen} />,
  },
  {
    header: 'Buyer',
    className: 'w-full max-w-0 min-w-40',
    cell: ({ buyer, countries }) => (
      <TwoLines detail={countries.map(nameCountry).join(', ') || null}>{buyer ?? '–'}</TwoLines>
    ),
  },
  { header: 'Money moved', className: 'whitespace-nowrap', cell: ({ movedAt }) => <TimeAgo at={movedAt} /> },
  { header: 'Net', phone: 'end', align: 'right', cell: (row) => <Amount row={row} cents={row.netCents} /> },
  { header: 'Tax', phone: 'labeled', align: 'right', cell: (row) => <Amount row={row} cents={row.taxCents} /> },
];

/** Shows an amount of a document; credit notes subtract. */
const Amount = ({ row: { kind }, cents }: { row: TaxDocument; cents: number }) => (
  <Money amountMinor={kind === 'invoice' ? cents : -cents} className="font-medium text-ink" />
);

/** Shows the number of a document, with links for staff who may open orders. */
function DocumentLinks({ row, mayOpen }: { row: TaxDocument; mayOpen: boolean }) {
  const { name } = row;
  if (!mayOpen) return <TwoLines detail={`Order #${row.orderId}`}>{name}</TwoLines>;
  return (
    <span className="grid justify-items-start">
      <a href={documentPath(name, 'pdf')} className="rounded-sm text-accent-ink hover:underline">
        {name}
      </a>
      <DocumentOrder {...row} />
    </span>
  );
}
