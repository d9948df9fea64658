'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { firstPage, type SearchParams, withParams } from '@/components/table/url';
import { LinkBusy } from '@/components/ui/link-busy';
import type { CartState } from '@/lib/orders/carts/cart-sites';
import type { SiteSortKey } from '@/lib/sites/catalogue/schemas';
import type { NotedRow } from '@/lib/sites/views';
import { type SiteColumn, siteColumns } from './site-columns';
import { useCart } from './use-cart';
import { type MarkSite, useSiteMarks } from './use-site-marks';
import './site-table.css';

type SiteSort = { key: SiteSortKey; order: 'asc' | 'desc' };

type SiteTableProps = {
  rows: readonly NotedRow[];
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
 * twice, as HTML and as the description of its elements, and the page would be four times as large. A row has no
 * components of its own: thirty rows of them would take longer to render than all that is around the table.
 */
export function SiteTable(props: SiteTableProps) {
  const { rows, favourites, isChosen, projectDomain, view, areHidden, markSite } = props;
  const { pathname, searchParams, hasDrawer } = props;
  const columns = siteColumns.filter(({ key }) => props.columns.includes(key));
  const router = useRouter();
  const cart = useCart(props.cart);
  const marks = useSiteMarks(favourites, areHidden, markSite);
  const table = useRef<HTMLTableElement>(null);
  /** The index of the row that had the focus and is being removed. */
  const leaving = useRef<number>(undefined);

  // After a row was removed, moves the focus to the row in its place.
  useEffect(() => {
    if (leaving.current === undefined || rows.length === 0) return;
    const index = Math.min(leaving.current, rows.length - 1);
    leaving.current = undefined;
    table.current?.tBodies[0]?.rows[index]?.querySelector<HTMLElement>('td:last-child button')?.focus();
  }, [rows]);

  const select = (sites: readonly NotedRow[], isSelected: boolean) => {
    if (isSelected) cart.add(sites.map(({ id, usdCents }) => ({ id, usdCents })));
    else cart.remove(sites);
  };

  const hide = async (site: NotedRow) => {
    leaving.current = rows.indexOf(site);
    const isSaved = await marks.hide(site);
    if (!isSaved) leaving.current = undefined;
    else if (cart.has(site.id)) select([site], false);
  };

  /** Shows where a figure comes from. Set when the pointer enters, because the titles would be a tenth of the page. */
  const showNote = ({ target }: PointerEvent) => {
    const cell = target instanceof Element ? target.closest('td') : null;
    const row = cell?.closest('tr');
    if (!cell || !row) return;
    // The first cell has the controls.
    const key = columns[cell.cellIndex - 1]?.key;
    const note = findNote(rows[row.sectionRowIndex], key);
    if (note) cell.title = note.title;
    else cell.removeAttribute('title');
  };

  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    // The browser opens the link in another tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.push(event.currentTarget.href, { scroll: false });
  };

  const listHref = withParams(pathname, searchParams, { site: null });
  const detailHref = `${listHref}${listHref.includes('?') ? '&' : '?'}site=`;
  const nameOf = ({ id, name }: NotedRow) =>
    hasDrawer ? (
      // Not a Link, of which thirty take a tenth of the table's time.
      <a href={`${detailHref}${id}`} onClick={open}>
        {name}
      </a>
    ) : (
      <b>{name}</b>
    );

  const selected = rows.filter(({ id }) => cart.has(id));
  return (
    <table
      ref={table}
      className="site-table"
      data-view={view}
      data-chosen={isChosen || undefined}
      data-hidden={areHidden || undefined}
    >
      <caption className="sr-only">Sites</caption>
      <thead>
        <tr>
          <th scope="col">
            <input
              type="checkbox"
              aria-label="Select all rows of this page"
              checked={selected.length === rows.length}
              disabled={cart.isReadOnly}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && selected.length < rows.length;
              }}
              onChange={(event) => select(rows, event.target.checked)}
            />
          </th>
          {columns.map((column) => (
            <SiteHeader key={column.key} {...props} column={column} />
          ))}
          <th scope="col">
            <span className="sr-only">{areHidden ? 'Show again' : 'Hide'}</span>
          </th>
        </tr>
      </thead>
      <tbody onPointerOver={showNote}>
        {rows.map((row) => {
          const context = { name: nameOf(row), projectDomain };
          return (
            <tr key={row.id}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Select ${row.name}`}
                  checked={selected.includes(row)}
                  disabled={cart.isReadOnly}
                  onChange={(event) => select([row], event.target.checked)}
                />
                <button
                  type="button"
                  aria-label={`Favorite ${row.name}`}
                  aria-pressed={marks.isFavourite(row.id)}
                  data-busy={marks.busy === row.id || undefined}
                  onClick={() => void marks.star(row.id)}
                />
              </td>
              {columns.map(({ key, cell }) => (
                <td key={key} className={classOf(row, key)}>
                  {cell(row, context)}
                </td>
              ))}
              <td>
                <button
                  type="button"
                  aria-label={`${areHidden ? 'Show' : 'Hide'} ${row.name}`}
                  onClick={() => void hide(row)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** @param key of a column; only those of figures have a note */
const findNote = (row: NotedRow | undefined, key = '') => row?.notes.find(({ of }) => of.includes(key));

function classOf(row: NotedRow, key: string): string {
  const mark = findNote(row, key)?.className;
  return mark ? `${key} ${mark}` : key;
}

function SiteHeader({ column, sort, pathname, searchParams }: SiteTableProps & { column: SiteColumn }) {
  const { key, label, title, sort: sorts } = column;
  const isSorted = sorts?.key === sort.key;
  const order = !isSorted ? sorts?.first : sort.order === 'asc' ? 'desc' : 'asc';
  return (
    <th scope="col" data-tooltip={title} aria-sort={isSorted ? `${sort.order}ending` : undefined} className={key}>
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
