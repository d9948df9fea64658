import type { ReactNode } from 'react';

/** A column: its header, and the cell of a row. */
export type ChartColumn<Row> = readonly [header: string, cell: (row: Row) => ReactNode];

type ChartTableProps<Row> = {
  caption: string;
  /** The header of the first column, and its cell. */
  rowHeader: string;
  rowName: (row: Row) => ReactNode;
  rowKey: (row: Row) => string;
  columns: readonly ChartColumn<Row>[];
  rows: readonly Row[];
};

/** Renders the data of a chart as a table, which opens below it. */
export function ChartTable<Row>({ caption, rowHeader, rowName, rowKey, columns, rows }: ChartTableProps<Row>) {
  return (
    <details className="group mt-4 text-sm">
      <summary className="w-fit rounded-sm py-0.5 text-accent-ink hover:underline">
        <span className="group-open:hidden">Show as a table</span>
        <span className="hidden group-open:inline">Hide the table</span>
      </summary>
      <section aria-label={caption} className="mt-3 overflow-x-auto rounded-md border border-line">
        <table className="w-full">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="text-muted text-xs">
              <th scope="col" className="bg-sunken px-2 py-2 sm:px-3 text-left">
                {rowHeader}
              </th>
              {columns.map(([header]) => (
                <th key={header} scope="col" className="bg-sunken px-2 py-2 sm:px-3 text-right">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                <th
                  scope="row"
                  className="whitespace-nowrap border-line border-t px-2 py-1.5 sm:px-3 text-left font-normal"
                >
                  {rowName(row)}
                </th>
                {columns.map(([header, cell]) => (
                  <td key={header} className="border-line border-t px-2 py-1.5 sm:px-3 text-right tabular-nums">
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
