'use client';

import { ColumnHeader, getAriaSort } from '@/components/table/column-header';
import type { Sort } from '@/components/table/url';
import { cn } from '@/components/ui/cn';
import styles from './orders-table.module.css';
import { directionParam, type OrderListItem, ordersTableColumns } from './orders-table-columns';

/** The attribute of a row, with the number of its order. */
export const orderRowAttribute = 'data-order';

/** Finds the link that opens an order of the list; null for an order that is not in it. */
export const findRowLink = (orderId: number | string) =>
  document.querySelector<HTMLElement>(`[${orderRowAttribute}="${orderId}"] td[data-key="edit"] a`);

type OrdersTableProps = {
  rows: readonly OrderListItem[];
  /** The URL that opens an order's dialog, without the id at its end. */
  editPrefix: string;
  /** The id of the open order, as received in the URL. */
  openId: string;
  /** The requested order; undefined for the list as it opens. */
  sort: Sort | undefined;
  /** The URL of the first page of the list as it opens. */
  listHref: string;
};

const stick = '2xl:sticky 2xl:top-[calc(var(--banner)+var(--top-bar))] 2xl:z-10';

/**
 * Renders the table of the Orders screen, which is a list of cards on phones. It is a client component because rows
 * sent as data are a third of the size of rendered elements. The frame scrolls horizontally below 1536 px; from there
 * on the header is sticky to the page.
 */
export function OrdersTable({ rows, editPrefix, openId, sort, listHref }: OrdersTableProps) {
  const columns = ordersTableColumns(
    editPrefix,
    rows.map(({ id }) => id),
  );
  return (
    <div className="relative overflow-x-auto rounded-t-lg 2xl:overflow-visible">
      <table className={cn('data-table w-full border-separate border-spacing-0 text-sm max-md:block', styles.table)}>
        <caption className="sr-only">Orders</caption>
        <thead className="max-md:sr-only">
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={getAriaSort(column, sort)}
                className={cn(stick, column.align === 'right' && 'text-right', column.width)}
              >
                <ColumnHeader column={column} listHref={listHref} sort={sort} orderParam={directionParam} />
              </th>
            ))}
          </tr>
        </thead>
        {/* Classes for all rows and cells are here, because a hundred copies would enlarge the page. */}
        <tbody
          className={cn(
            '*:scroll-mt-28 *:scroll-mb-20 *:bg-surface *:hover:bg-sunken *:has-focus-visible:bg-accent-soft *:data-selected:bg-accent-soft',
            'max-md:block max-md:*:grid max-md:*:grid-cols-[auto_minmax(0,1fr)_auto_auto] max-md:*:items-start max-md:*:gap-x-3 max-md:*:gap-y-1 max-md:*:border-line max-md:*:border-b max-md:*:px-4 max-md:*:py-3',
            'max-md:[&_td]:h-auto max-md:[&_td]:min-w-0 max-md:[&_td]:border-0 max-md:[&_td]:p-0',
          )}
        >
          {rows.map((order) => (
            <tr
              key={order.id}
              {...{ [orderRowAttribute]: order.id }}
              data-selected={String(order.id) === openId ? '' : undefined}
            >
              {columns.map(({ key, cell, align }) => (
                <td key={key} data-key={key} className={align === 'right' ? 'text-right' : undefined}>
                  {cell(order)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
