import type { ComponentProps } from 'react';
import { type Column, DataTable } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import type { StatementRow } from '@/lib/earnings/self-billing/contract';

type StatementsTableProps = Pick<
  ComponentProps<typeof DataTable<StatementRow>>,
  'rows' | 'pathname' | 'searchParams' | 'paging' | 'empty'
> & {
  /** The path of the PDFs, which takes the statement as `id`. */
  pdfPath: string;
  /** Whether the seller is shown, for staff. */
  hasSeller?: boolean;
};

/** Renders a list of self-billed statements with links to their PDFs. */
export function StatementsTable({ rows, pdfPath, hasSeller = false, ...table }: StatementsTableProps) {
  const columns: Column<StatementRow>[] = [
    { key: 'number', header: 'Number', cell: (row) => <PdfLink row={row} pdfPath={pdfPath} /> },
    { key: 'month', header: 'Month', className: 'whitespace-nowrap', cell: ({ month }) => month },
    ...(hasSeller ? [sellerColumn] : []),
    { key: 'placements', header: 'Placements', align: 'right', cell: ({ placementCount }) => placementCount },
    { key: 'fees', header: 'Payout fees', align: 'right', cell: ({ feeCents }) => <Money amountMinor={feeCents} /> },
    {
      key: 'amount',
      header: 'Amount',
      align: 'right',
      cell: ({ billedCents }) => <Money amountMinor={billedCents} className="font-medium text-ink" />,
    },
  ];
  return (
    <DataTable
      caption="Self-billed statements"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      card={(row) => (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 text-sm">
          <PdfLink row={row} pdfPath={pdfPath} />
          <Money amountMinor={row.billedCents} className="text-right font-medium text-ink" />
          <span className="truncate text-muted text-xs">{hasSeller ? row.sellerEmail : row.month}</span>
          <span className="text-right text-muted text-xs">
            {row.placementCount} {row.placementCount === 1 ? 'placement' : 'placements'}
          </span>
        </div>
      )}
      {...table}
    />
  );
}

function PdfLink({ row: { id, name }, pdfPath }: { row: StatementRow; pdfPath: string }) {
  return (
    <a
      href={`${pdfPath}?id=${id}`}
      download=""
      aria-label={`Download ${name} as PDF`}
      className="inline-flex min-h-6 items-center whitespace-nowrap rounded-sm text-accent-ink hover:underline"
    >
      {name}
    </a>
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
