import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { PageOutOfRange } from '@/components/ui/empty-state';
import { Money } from '@/components/ui/money';
import { ColumnHeader, getAriaSort } from './column-header';
import { type Counted, Pagination } from './pagination';
import { firstPage, type PageParams, type SearchParams, type Sort, type SortOrder, withParams } from './url';

/** The place of a column's cells in the cards that the rows are on phones. */
type PhonePlace =
  /** The start of the first line. */
  | 'title'
  /** The end of the first line, for one column: an amount or a status. */
  | 'end'
  /** Before the title: a checkbox. */
  | 'select'
  /** A line of its own. The cells without a place share the lines below. */
  | 'line'
  /** Begins with the header. */
  | 'labeled'
  /** The end of the last line. */
  | 'last'
  | 'hidden';

export type Column<Row> = {
  header: ReactNode;
  /** Identifies the column. Required for a header that is not a text, which is the key otherwise. */
  key?: string;
  cell: (row: Row) => ReactNode;
  align?: 'left' | 'right' | 'center';
  /** Makes the header sortable by this key of the list's whitelist. */
  sortKey?: string;
  /** The order of the first click, ascending by default. Figures usually start with the highest. */
  firstOrder?: SortOrder;
  /** Hides the header visually (a column of checkboxes or actions). */
  headerHidden?: boolean;
  /** Applies to the header and the cells, e.g. a width or `hidden xl:table-cell`. Widths do not apply on phones. */
  className?: string;
  phone?: PhonePlace;
};

/** Returns the last column of a table, with the actions on a row. */
export const actionsColumn = <Row,>(
  cell: Column<Row>['cell'],
  { phone = 'last', className }: Pick<Column<Row>, 'phone' | 'className'> = {},
): Column<Row> => ({
  header: 'Actions',
  headerHidden: true,
  align: 'right',
  phone,
  cell,
  className,
});

/**
 * Returns a column of amounts.
 * @param amountOf returns the integer minor units, and the currency where it is not USD
 */
export const moneyColumn = <Row,>(
  header: string,
  amountOf: (row: Row) => readonly [minor: number, currency?: string],
  className = 'font-medium text-ink',
  phone: PhonePlace = 'end',
): Column<Row> => ({
  header,
  phone,
  align: 'right',
  cell: (row) => {
    const [amountMinor, currency] = amountOf(row);
    return <Money amountMinor={amountMinor} currency={currency} className={className} />;
  },
});

/** Stands for a value that does not exist. Its cell is not shown on phones. */
export const noValue = <span className="no-value">–</span>;

/** Renders the lines of a cell: a text and its details. Without details, there is one line. They wrap on phones. */
export function TwoLines({ children, detail }: { children: ReactNode; detail: ReactNode }) {
  return (
    <span className="block min-w-0">
      <span className="wrap-anywhere block text-ink md:truncate">{children}</span>
      {detail ? <span className="wrap-anywhere block text-muted text-xs md:truncate">{detail}</span> : null}
    </span>
  );
}

/** Renders a user's name and email address. */
export const UserName = ({ name, email }: { name: string; email: string }) => (
  <TwoLines detail={name ? email : null}>{name || email}</TwoLines>
);

type ListFrameProps = {
  rowCount: number;
  /** Shown when there are no rows: an EmptyState. */
  empty: ReactNode;
  /** The list's path. */
  pathname: string;
  searchParams: SearchParams;
  /** The page and the total; omitted for a list without paging. */
  paging?: Counted & { page: PageParams };
  /** The rows. */
  children: ReactNode;
};

/** Renders the frame of a list: its rows or its empty state, and the paging below. */
export function ListFrame({ rowCount, empty, pathname, searchParams, paging, children }: ListFrameProps) {
  const paged = paging && paging.total > 0 ? paging : null;
  const toLastPage = paged && { ...firstPage, page: Math.ceil(paged.total / paged.page.rows) };
  return (
    <div className="rounded-lg border border-line bg-surface">
      {rowCount > 0 ? children : null}
      {rowCount === 0 && !toLastPage ? empty : null}
      {rowCount === 0 && toLastPage ? (
        <PageOutOfRange lastPageHref={withParams(pathname, searchParams, toLastPage)} />
      ) : null}
      {paged ? <Pagination {...paged} pathname={pathname} searchParams={searchParams} /> : null}
    </div>
  );
}

type DataTableProps<Row> = Omit<ListFrameProps, 'rowCount' | 'children'> & {
  /** The accessible name of the table. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  sort?: Sort;
  isSelected?: (row: Row) => boolean;
  /** For many columns: the table scrolls horizontally up to 1280 px instead of 1024, with '90rem' up to 1440, or always. */
  wide?: boolean | '90rem' | 'scrolls';
  /**
   * The headers alone set the widths of the columns; one without a width takes the rest. For long lists that are shown
   * while they load: later rows do not move earlier ones.
   */
  isFixed?: boolean;
};

const aligns = { left: undefined, right: 'text-right', center: 'text-center' };

/** The width from which on the table fits its frame, so that it does not scroll and its header can be sticky. */
const fitting = {
  lg: ['lg:sticky lg:top-[calc(var(--banner)+var(--top-bar))] lg:z-10', 'lg:overflow-visible'],
  xl: ['xl:sticky xl:top-[calc(var(--banner)+var(--top-bar))] xl:z-10', 'xl:overflow-visible'],
  '90rem': [
    'min-[90rem]:sticky min-[90rem]:top-[calc(var(--banner)+var(--top-bar))] min-[90rem]:z-10',
    'min-[90rem]:overflow-visible',
  ],
  scrolls: [undefined, undefined],
};

/**
 * Renders a table on the server. On phones its rows are cards, by the style sheet alone. Its header is sticky below the
 * top bar where the table fits the screen, because a header inside a horizontally scrolling frame cannot be sticky to the
 * page.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, isSelected, wide, isFixed, ...frame } = props;
  const { pathname, searchParams, paging } = frame;
  const listHref = withParams(pathname, searchParams, { sort: null, order: null, ...firstPage });
  const [stick, fits] = typeof wide === 'string' ? fitting[wide] : wide ? fitting.xl : fitting.lg;
  return (
    <ListFrame {...frame} rowCount={rows.length}>
      <div className={cn('relative overflow-x-auto rounded-t-lg', fits)}>
        <table
          className={cn(
            'data-table phone-cards w-full border-separate border-spacing-0 text-sm',
            isFixed && 'min-w-[56rem] table-fixed',
            typeof wide === 'string' && 'max-[110rem]:[&_:is(th,td):not(:first-child,:last-child)]:px-2',
            !(paging && paging.total > 0) && 'data-table-last',
          )}
        >
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={keyOf(column)}
                  scope="col"
                  aria-sort={getAriaSort(column, sort)}
                  className={cn(stick, cellClass(column))}
                >
                  <ColumnHeader column={column} listHref={listHref} sort={sort} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)} data-selected={isSelected?.(row) ? '' : undefined}>
                {columns.map((column) => (
                  <td
                    key={keyOf(column)}
                    className={cellClass(column)}
                    data-label={column.phone === 'labeled' ? String(column.header) : undefined}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ListFrame>
  );
}

const keyOf = <Row,>({ key, header }: Column<Row>) => key ?? String(header);

/** Returns the class of a cell; undefined instead of '' for none, which omits the attribute in every cell. */
function cellClass<Row>({ align = 'left', className, phone }: Column<Row>): string | undefined {
  return cn(aligns[align], className, phone && phone !== 'labeled' && `phone-${phone}`) || undefined;
}
