import type { ComponentProps } from 'react';
import { type Column, DataTable } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { type DocumentFormat, documentPath } from '@/lib/invoices/contract';
import type { StatementRow } from '@/lib/invoices/self-billed';

type StatementsTableProps = Pick<
  ComponentProps<typeof DataTable<StatementRow>>,
  'rows' | 'pathname' | 'searchParams' | 'paging' | 'empty'
> & {
  /** Whether the seller is shown, for staff. */
  hasSeller?: boolean;
};

/** Renders a list of self-billed statements with links to their files. */
export function StatementsTable({ rows, hasSeller = false, ...table }: StatementsTableProps) {
  const columns: Column<StatementRow>[] = [
    { key: 'number', header: 'Number', phone: 'title', cell: (row) => <FileLink row={row} /> },
    { key: 'month', header: 'Month', className: 'whitespace-nowrap', cell: ({ month }) => month },
    ...(hasSeller ? [sellerColumn] : []),
    {
      key: 'placements',
      header: 'Placements',
      phone: 'labeled',
      align: 'right',
      cell: ({ placementCount }) => placementCount,
    },
    {
      key: 'fees',
      header: 'Payout fees',
      phone: 'labeled',
      align: 'right',
      cell: ({ feeCents }) => <Money amountMinor={feeCents} />,
    },
    {
      key: 'amount',
      header: 'Amount',
      phone: 'end',
      align: 'right',
      cell: ({ billedCents }) => <Money amountMinor={billedCents} className="font-medium text-ink" />,
    },
    { key: 'formats', header: 'Formats', cell: (row) => <StructuredFormats row={row} /> },
  ];
  return (
    <DataTable caption="Self-billed statements" columns={columns} rows={rows} rowKey={({ id }) => id} {...table} />
  );
}

const formatNames: Record<DocumentFormat, string> = { pdf: 'PDF', 'ubl.xml': 'UBL', 'facturx.pdf': 'Factur-X' };

type FileLinkProps = { row: StatementRow; format?: DocumentFormat };

function FileLink({ row: { name }, format = 'pdf' }: FileLinkProps) {
  return (
    <a
      href={documentPath(name, format)}
      download=""
      aria-label={`Download ${name} as ${formatNames[format]}`}
      className="inline-flex min-h-6 items-center whitespace-nowrap rounded-sm text-accent-ink hover:underline"
    >
      {format === 'pdf' ? name : formatNames[format]}
    </a>
  );
}

/** Renders links to the structured formats of a statement that has the details for them. */
function StructuredFormats({ row }: { row: StatementRow }) {
  if (!row.hasStructuredFormats) return <span className="no-value text-muted">–</span>;
  return (
    <span className="flex gap-3">
      <FileLink row={row} format="ubl.xml" />
      <FileLink row={row} format="facturx.pdf" />
    </span>
  );
}

const sellerColumn: Column<StatementRow> = {
  key: 'seller',
  header: 'Seller',
  className: 'w-full min-w-40 max-w-0',
  cell: ({ sellerName, sellerEmail }) => (
    <>
      <span className="block truncate text-ink">{sellerName}</span>
      <span className="block truncate text-muted text-xs">{sellerEmail}</span>
    </>
  ),
};
