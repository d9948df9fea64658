'use client';

import { memo, type ReactNode, useEffect } from 'react';
import { toast } from '@/components/ui/toast';
import { formatMoney } from '@/lib/money';
import type { MarketplaceRow } from '@/lib/sites/views';
import type { SelectedSite } from './selection-store';
import styles from './site-table.module.css';
import { useSelection } from './use-selection';

type SiteTableProps = {
  rows: readonly MarketplaceRow[];
  userId: string;
  /** How many sites one order takes. */
  maxSelected: number;
  /** The header's cells from the second on, rendered on the server: they sort by links. */
  children: ReactNode;
};

/**
 * The catalogue's rows. A client component as a whole, because its rows travel as plain data: sent as rendered
 * elements they would weigh three times as much.
 */
export function SiteTable({ rows, userId, maxSelected, children }: SiteTableProps) {
  const { sites, write } = useSelection(userId);
  const ticked = new Set(sites.map(({ id }) => id));
  const tickedHere = rows.filter(({ id }) => ticked.has(id)).length;

  // A price may have changed since its site was ticked on another visit: the newest one counts.
  useEffect(() => {
    const fresh = new Map(rows.map((row) => [row.id, row]));
    const stale = sites.some((site) => fresh.has(site.id) && fresh.get(site.id)?.usdCents !== site.usdCents);
    if (stale) write(sites.map((site) => (fresh.has(site.id) ? selectedSite(fresh.get(site.id) ?? site) : site)));
  }, [rows, sites, write]);

  const set = (changed: readonly MarketplaceRow[], isTicked: boolean) => {
    const ids = new Set(changed.map(({ id }) => id));
    const others = sites.filter(({ id }) => !ids.has(id));
    const next = isTicked ? [...others, ...changed.map(selectedSite)] : others;
    if (next.length > maxSelected) toast.info(`One order takes at most ${maxSelected} sites.`);
    else write(next);
  };

  return (
    <table className={styles.table}>
      <caption className="sr-only">Sites</caption>
      <thead>
        <tr>
          <th scope="col">
            <input
              type="checkbox"
              aria-label="Select all rows of this page"
              checked={rows.length > 0 && tickedHere === rows.length}
              ref={(box) => {
                if (box) box.indeterminate = tickedHere > 0 && tickedHere < rows.length;
              }}
              onChange={(event) => set(rows, event.target.checked)}
            />
          </th>
          {children}
        </tr>
      </thead>
      <tbody
        onChange={(event) => {
          const row = event.target instanceof HTMLInputElement && rows.find(({ id }) => String(id) === event.target.id);
          return row;
        }}
      >
        {rows.map((row) => (
          <SiteRow key={row.id} row={row} isTicked={ticked.has(row.id)} onTick={set} />
        ))}
      </tbody>
    </table>
  );
}
