'use client';

import { type ReactNode, useEffect } from 'react';
import { toast } from '@/components/ui/toast';
import type { MarketplaceRow } from '@/lib/sites/views';
import type { SelectedSite } from './selection-store';
import { SiteCells } from './site-cells';
import styles from './site-table.module.css';
import { useSelection } from './use-selection';

type SiteTableProps = {
  rows: readonly MarketplaceRow[];
  userId: string;
  /** How many sites one order takes. */
  maxSelected: number;
  /** The header's cells from the second on: they sort by links and are rendered on the server. */
  children: ReactNode;
};

/**
 * The catalogue's rows. A client component as a whole, because its rows then travel as plain data: sent as rendered
 * elements they would weigh three times as much.
 */
export function SiteTable({ rows, userId, maxSelected, children }: SiteTableProps) {
  const { sites, write } = useSelection(userId);
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

  const tick = (changed: readonly MarketplaceRow[], isTicked: boolean) => {
    const ids = new Set(changed.map(({ id }) => id));
    const others = sites.filter(({ id }) => !ids.has(id));
    const next = isTicked ? [...others, ...changed.map(selected)] : others;
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
              checked={tickedHere === rows.length}
              ref={(box) => {
                if (box) box.indeterminate = tickedHere > 0 && tickedHere < rows.length;
              }}
              onChange={(event) => tick(rows, event.target.checked)}
            />
          </th>
          {children}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-ticked={ticked.has(row.id) ? '' : undefined}>
            <td>
              <input
                type="checkbox"
                aria-label={`Select ${row.name}`}
                checked={ticked.has(row.id)}
                onChange={(event) => tick([row], event.target.checked)}
              />
            </td>
            <SiteCells row={row} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function selected({ id, name, url, priceCents, currency, usdCents }: MarketplaceRow): SelectedSite {
  return { id, name, url, priceCents, currency, usdCents };
}
