'use client';

import Link from 'next/link';
import { firstPage, type SearchParams, withParams } from '@/components/table/url';
import { LinkBusy } from '@/components/ui/link-busy';
import type { CartState } from '@/lib/orders/carts/cart-sites';
import type { SiteSortKey } from '@/lib/sites/catalogue/schemas';
import type { MarketplaceRow } from '@/lib/sites/views';
import { type SiteColumn, siteColumns } from './site-columns';
import { type MarkSite, SelectAll, SelectSite, SiteHide, SiteStar, SiteTableFrame } from './site-row-controls';

type SiteSort = { key: SiteSortKey; order: 'asc' | 'desc' };

type SiteTableProps = {
  rows: readonly MarketplaceRow[];
  /** The keys of the columns shown, in the order of site-columns.tsx. */
  columns: readonly string[];
  /** The ids of the user's favourites among the rows. */
  favourites: ReadonlySet<number>;
  /** Whether the user has chosen the columns; all of them are then shown on narrower screens. */
  isChosen: boolean;
  /** The cart of the current project, and the domain of the project. */
  cart: CartState;
  projectDomain: string | undefined;
  sort: SiteSort;
  /** The list's path, for the sort links. */
  pathname: string;
  searchParams: SearchParams;
  view: 'table' | 'cards';
  /** Whether this is the list of hidden sites, where rows can be unhidden. */
  areHidden: boolean;
  markSite: MarkSite;
  /** Whether the names open the drawer of their site. */
  hasDrawer?: boolean;
};

/**
 * Renders the list of sites as a table or as cards. A client component: a row rendered by the server would be sent
 * twice, as HTML and as the description of its elements, and the page would be four times as large.
 */
export function SiteTable(props: SiteTableProps) {
  const { rows, favourites, isChosen, cart, projectDomain, view, areHidden, markSite } = props;
  const columns = siteColumns.filter(({ key }) => props.columns.includes(key));
  const { pathname, searchParams, hasDrawer } = props;
  const detailHref = (id: number) => (hasDrawer ? withParams(pathname, searchParams, { site: id }) : undefined);
  return (
    <SiteTableFrame
      sites={rows.map(({ id, name, usdCents }) => ({ id, name, usdCents, isFavourite: favourites.has(id) }))}
      {...{ cart, view, areHidden, markSite }}
    >
      <caption className="sr-only">Sites</caption>
      <thead>
        <tr>
          <th scope="col" data-placement="select">
            <SelectAll />
          </th>
          {columns.map((column) => (
            <SiteHeader key={column.key} {...props} column={column} />
          ))}
          <th scope="col" data-placement="hide">
            <span className="sr-only">{areHidden ? 'Show again' : 'Hide'}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td data-placement="select">
              <SelectSite id={row.id} />
              <SiteStar id={row.id} />
            </td>
            {columns.map((column) => (
              <td
                key={column.key}
                {...attributesOf(column, isChosen)}
                {...row.notes[column.key]}
                data-label={column.placement === 'figure' ? (column.cardLabel ?? column.label) : undefined}
              >
                {column.cell(row, { detailHref: detailHref(row.id), projectDomain })}
              </td>
            ))}
            <td data-placement="hide">
              <SiteHide id={row.id} />
            </td>
          </tr>
        ))}
      </tbody>
    </SiteTableFrame>
  );
}

function SiteHeader({ column, isChosen, sort, pathname, searchParams }: SiteTableProps & { column: SiteColumn }) {
  const { label, title, sort: sorts } = column;
  const isSorted = sorts?.key === sort.key;
  const order = !isSorted ? sorts?.first : sort.order === 'asc' ? 'desc' : 'asc';
  return (
    <th
      scope="col"
      data-tooltip={title}
      aria-sort={isSorted ? `${sort.order}ending` : undefined}
      {...attributesOf(column, isChosen)}
    >
      {sorts ? (
        <Link
          prefetch={false}
          href={withParams(pathname, searchParams, { sort: sorts.key, order, ...firstPage })}
          scroll={false}
          className="sort-link"
        >
          {label}
          <LinkBusy />
        </Link>
      ) : (
        label
      )}
    </th>
  );
}

/** Returns the data attributes by which site-table.module.css styles headers and cells. */
function attributesOf({ placement, align, isWideOnly }: SiteColumn, isChosen: boolean) {
  return {
    'data-placement': placement,
    'data-align': align,
    'data-wide-only': isWideOnly && !isChosen ? '' : undefined,
  };
}
