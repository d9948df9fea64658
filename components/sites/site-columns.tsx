import type { ReactNode } from 'react';
import { formatMoney, formatUsd } from '@/lib/money';
import type { SiteSortKey } from '@/lib/sites/catalogue/schemas';
import type { MarketplaceRow } from '@/lib/sites/views';
import { ownershipTexts } from './ownership-texts';
import { describeLinked, formatDays, formatFigure, siteHost } from './site-text';

type CellContext = {
  /** Renders the name: a link to the site's drawer, or plain text where there is none. */
  name: ReactNode;
  /** The domain of the current project. */
  projectDomain: string | undefined;
};

export type SiteColumn = {
  /**
   * Identifies the column, and is the class of its cells, which site-table.css places and labels. User preferences store
   * this key for optional columns: do not rename it.
   */
  key: string;
  /** The text and the tooltip of the header. */
  label: string;
  title?: string;
  /** The text in the menu of columns. A column without it is always shown. */
  choice?: string;
  /** Makes the header sortable, with this order first. */
  sort?: { key: SiteSortKey; first: 'asc' | 'desc' };
  /** Shown where sites are selected for an order (Build Custom). */
  isInPicker?: true;
  cell: (row: MarketplaceRow, context: CellContext) => ReactNode;
};

/** Returns the column of a figure. @param key the property of the row */
const metricColumn = (
  key: 'dr' | 'da' | 'as' | 'traffic' | 'keywords' | 'refDomains' | 'spam',
  label: string,
  title: string,
  choice: string,
  more: Partial<SiteColumn> = {},
): SiteColumn => ({ ...{ key, label, title, choice, cell: (row) => figure(row[key]) }, ...more });

const sortedInPicker = (key: SiteSortKey): Partial<SiteColumn> => ({ sort: { key, first: 'desc' }, isInPicker: true });

/**
 * The columns of the marketplace, in their order. To add a column, add it here and to site-table.css; a value that the
 * list does not have yet comes from `marketplaceRow` (lib/sites/views.ts).
 */
export const siteColumns: readonly SiteColumn[] = [
  {
    key: 'website',
    label: 'Website',
    sort: { key: 'name', first: 'asc' },
    isInPicker: true,
    cell: (row, { name, projectDomain }) => (
      <>
        {name}
        <a href={row.url} target="_blank" rel="noreferrer">
          {siteHost(row.url)}
        </a>
        {row.ownership ? (
          <small data-ownership={row.ownership} title={ownershipTexts[row.ownership].explanation}>
            {ownershipTexts[row.ownership].label}
          </small>
        ) : null}
        {row.linked ? <small data-linked={row.linked}>{describeLinked(row.linked, projectDomain)}</small> : null}
      </>
    ),
  },
  {
    key: 'niche',
    label: 'Niche',
    choice: 'Niche',
    isInPicker: true,
    cell: (row) => row.niche,
  },
  {
    key: 'country',
    label: 'Country',
    choice: 'Country and language',
    isInPicker: true,
    cell: (row) => (
      <>
        {row.country}
        <small>{row.language}</small>
      </>
    ),
  },
  metricColumn('dr', 'DR', 'Domain rating', 'DR, domain rating', sortedInPicker('dr')),
  metricColumn('da', 'DA', 'Domain authority', 'DA, domain authority', sortedInPicker('da')),
  metricColumn('as', 'AS', 'Authority score', 'AS, authority score'),
  metricColumn('traffic', 'Traffic', 'Visits per month', 'Monthly traffic', sortedInPicker('traffic')),
  metricColumn('keywords', 'Keywords', 'Keywords it ranks for', 'Keywords'),
  metricColumn('refDomains', 'Ref. domains', 'Domains that link to it', 'Referring domains'),
  metricColumn('spam', 'Spam', 'Spam score', 'Spam score', { cell: (row) => figure(row.spam, '%') }),
  {
    key: 'link',
    label: 'Link',
    choice: 'Link type',
    isInPicker: true,
    cell: (row) => (row.follow ? 'DoFollow' : 'NoFollow'),
  },
  {
    key: 'words',
    label: 'Words',
    title: 'Words in an article',
    choice: 'Words in an article',
    cell: (row) => formatFigure(row.words),
  },
  {
    key: 'tat',
    label: 'TAT',
    title: 'Turnaround time, and who fulfills an order',
    choice: 'Turnaround',
    isInPicker: true,
    cell: (row) => (
      <>
        {formatDays(row.tatDays)}
        {row.fulfilledBy ? <small>{`by ${row.fulfilledBy}`}</small> : null}
      </>
    ),
  },
  {
    key: 'price',
    label: 'Price',
    sort: { key: 'price', first: 'asc' },
    isInPicker: true,
    cell: (row) => (
      <>
        {formatUsd(row.usdCents)}
        {row.foreignPrice ? <small>{formatMoney(row.foreignPrice.cents, row.foreignPrice.currency)}</small> : null}
      </>
    ),
  },
];

/** The optional columns. */
export const columnChoices = siteColumns.flatMap(({ key, choice }) => (choice ? [{ key, label: choice }] : []));

function figure(value: number | null, unit = '') {
  return value === null ? <i>–</i> : formatFigure(value, unit);
}
