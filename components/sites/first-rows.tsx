import type { ReactNode } from 'react';

/** The number of rows shown before "Show more". */
const shown = 6;

type FirstRowsProps<Row> = {
  label: string;
  /** The first rows of the list. */
  rows: readonly Row[];
  /** The number of rows of the whole list. */
  total: number;
  /** Names the rows in the title of a list that is cut: "skipped rows". */
  noun: string;
  /** Renders rows. */
  children: (rows: readonly Row[]) => ReactNode;
};

/** Renders the first rows of a result of a file, and more of them on demand. */
export function FirstRows<Row>({ label, rows, total, noun, children }: FirstRowsProps<Row>) {
  const more = rows.slice(shown);
  return (
    <section aria-label={label} className="min-w-0 text-sm">
      <h3 className="mb-2 text-ink">{rows.length < total ? `The first ${rows.length} ${noun}` : label}</h3>
      {children(rows.slice(0, shown))}
      {more.length > 0 ? (
        <details className="mt-2">
          <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-accent-ink">{more.length} more</summary>
          <div className="mt-2">{children(more)}</div>
        </details>
      ) : null}
    </section>
  );
}
