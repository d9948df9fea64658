'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import { toast } from 'sonner';
import { type ListedRow, type PackedRow, unpackRow } from '@/lib/sites/packed-row';
import type { SelectedSite } from './selection-store';
import { SiteCells } from './site-cells';
import { SiteHeaders, type SiteSort } from './site-headers';
import styles from './site-table.module.css';
import { useSelection } from './use-selection';
import { type MarkSite, useSiteMarks } from './use-site-marks';

type SiteTableProps = {
  rows: readonly PackedRow[];
  userId: string;
  sort: SiteSort;
  /** How many sites one order takes. */
  maxSelected: number;
  /** The columns left out, by the names of lib/sites/columns.ts. */
  without: string;
  /** The person chose the columns: nothing else is left out where it is narrow. */
  isChosen: boolean;
  view: 'table' | 'cards';
  /** These are the person's hidden sites. */
  areHidden: boolean;
  markSite: MarkSite;
};

/**
 * The catalogue's rows. A client component as a whole, because its rows then travel as plain data: sent as rendered
 * elements they would weigh three times as much.
 */
export function SiteTable({ rows: packed, userId, maxSelected, sort, markSite, areHidden, ...look }: SiteTableProps) {
  /** What the server has said since these rows were sent. */
  const [starred, setStarred] = useState<{ of: unknown; on: ReadonlyMap<number, boolean> }>({
    of: packed,
    on: new Map(),
  });
  const rows = useMemo(() => packed.map(unpackRow), [packed]);
  const isFavourite = (row: ListedRow) => (starred.of === packed ? starred.on.get(row.id) : undefined) ?? row.favourite;
  const { sites, write } = useSelection(userId);
  const marks = useSiteMarks(markSite);
  const body = useRef<HTMLTableSectionElement>(null);
  /** Where the focus was, when its row is about to leave. */
  const leaving = useRef<number>(undefined);
  const ticked = new Set(sites.map(({ id }) => id));
  const tickedHere = rows.filter(({ id }) => ticked.has(id)).length;

  // A price may have changed since its site was ticked: the newest one counts.
  useEffect(() => {
    const fresh = new Map(rows.map((row) => [row.id, row]));
    const updated = sites.map((site) => {
      const row = fresh.get(site.id);
      return row && row.usdCents !== site.usdCents ? selected(row) : site;
    });
    if (updated.some((site, index) => site !== sites[index])) write(updated);
  }, [rows, sites, write]);

  // The next row is where the hidden one was: there the keyboard goes on.
  useEffect(() => {
    if (leaving.current === undefined || rows.length === 0) return;
    const index = Math.min(leaving.current, rows.length - 1);
    leaving.current = undefined;
    body.current?.rows[index]?.querySelector<HTMLElement>('td:last-child button')?.focus();
  }, [rows]);

  const tick = (changed: readonly ListedRow[], isTicked: boolean) => {
    const ids = new Set(changed.map(({ id }) => id));
    const others = sites.filter(({ id }) => !ids.has(id));
    const next = isTicked ? [...others, ...changed.map(selected)] : others;
    if (next.length > maxSelected) toast.info(`One order takes at most ${maxSelected} sites.`);
    else write(next);
  };

  const star = async (row: ListedRow) => {
    const on = !isFavourite(row);
    if (!(await marks.star(row.id, on))) return;
    setStarred((before) => ({ of: packed, on: new Map(before.of === packed ? before.on : []).set(row.id, on) }));
  };

  const hide = async (row: ListedRow, index: number) => {
    leaving.current = index;
    if (!(await marks.hide(row, !areHidden))) {
      leaving.current = undefined;
      return;
    }
    if (ticked.has(row.id)) write(sites.filter(({ id }) => id !== row.id));
  };

  return (
    <table
      className={styles.table}
      data-view={look.view}
      data-hidden={areHidden || undefined}
      data-without={look.without || undefined}
      data-chosen={look.isChosen || undefined}
    >
      <caption className="sr-only">Sites</caption>
      <thead>
        <tr>
          <th scope="col">
            <input
              type="checkbox"
              aria-label="Select all rows of this page"
              checked={tickedHere === rows.length}
              ref={(box) => {
                if (box) box.indeterminate = tickedHere > 0 && tickedHere < rows.length;
              }}
              onChange={(event) => tick(rows, event.target.checked)}
            />
          </th>
          <SiteHeaders sort={sort} />
          <th scope="col">
            <span className="sr-only">{areHidden ? 'Show again' : 'Hide'}</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row, index) => (
          <tr key={row.id} data-ticked={ticked.has(row.id) ? '' : undefined}>
            <td>
              <input
                type="checkbox"
                aria-label={`Select ${row.name}`}
                checked={ticked.has(row.id)}
                onChange={(event) => tick([row], event.target.checked)}
              />
              <button
                type="button"
                aria-label={`Favourite ${row.name}`}
                aria-pressed={isFavourite(row)}
                data-busy={marks.busy === row.id || undefined}
                onClick={() => void star(row)}
              />
            </td>
            <SiteCells row={row} />
            <td>
              <button
                type="button"
                aria-label={`${areHidden ? 'Show' : 'Hide'} ${row.name}`}
                onClick={() => void hide(row, index)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function selected({ id, name, url, priceCents, currency, usdCents }: ListedRow): SelectedSite {
  return { id, name, url, priceCents, currency, usdCents };
}
