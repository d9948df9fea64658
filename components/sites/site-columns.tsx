import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import type { SiteSortKey } from '@/lib/sites/catalogue/schemas';
import type { MarketplaceRow } from '@/lib/sites/views';
import { ownershipTexts } from './ownership-texts';
import { describeLinked, formatDays, formatFigure, siteHost, siteLinkId } from './site-text';

type CellContext = {
  /** The URL of the site's drawer; undefined where there is none. */
  detailHref: string | undefined;
  /** The domain of the current project. */
  projectDomain: string | undefined;
};

export type SiteColumn = {
  /** Identifies the column. User preferences store this key for optional columns: do not rename it. */
  key: string;
  /** The text and the tooltip of the header. */
  label: string;
  title?: string;
  /** The text in the menu of columns. A column without it is always shown. */
  choice?: string;
  /** Makes the header sortable, with this order first. */
  sort?: { key: SiteSortKey; first: 'asc' | 'desc' };
  align?: 'right';
  /** The place in a card: a title and a price at the top, details below them, then figures under their labels. */
  placement: 'title' | 'price' | 'detail' | 'figure';
  /** The label of a figure in a card, where it differs from the header. */
  cardLabel?: string;
  /** Below 1416 px the table leaves the column out, unless the user has chosen columns. */
  isWideOnly?: true;
  /** Shown where sites are selected for an order (Build Custom). */
  isInPicker?: true;
  cell: (row: MarketplaceRow, context: CellContext) => ReactNode;
};

/** Returns the column of a figure, aligned right. @param key the property of the row */
const metricColumn = (
  key: 'dr' | 'da' | 'as' | 'traffic' | 'keywords' | 'refDomains' | 'spam',
  label: string,
  title: string,
  choice: string,
  more: Partial<SiteColumn>,
): SiteColumn => ({
  ...{ key, label, title, choice, align: 'right', placement: 'figure', cell: (row) => figure(row[key]) },
  ...more,
});

const sortedInPicker = (key: SiteSortKey): Partial<SiteColumn> => ({ sort: { key, first: 'desc' }, isInPicker: true });

/**
 * The columns of the marketplace, in their order. To add a column, add it here; a value that the list does not have yet
 * comes from `marketplaceRow` (lib/sites/views.ts).
 */
export const siteColumns: readonly SiteColumn[] = [
  {
    key: 'website',
    label: 'Website',
    sort: { key: 'name', first: 'asc' },
    placement: 'title',
    isInPicker: true,
    cell: (row, { detailHref, projectDomain }) => (
      <>
        <b>
          {detailHref ? (
            <Link id={siteLinkId(row.id)} prefetch={false} href={detailHref} scroll={false}>
              {row.name}
            </Link>
          ) : (
            row.name
          )}
        </b>
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
    placement: 'detail',
    isInPicker: true,
    cell: (row) => <span>{row.niche}</span>,
  },
  {
    key: 'country',
    label: 'Country',
    choice: 'Country and language',
    placement: 'detail',
    isInPicker: true,
    cell: (row) => (
      <>
        <span>{row.country}</span>
        <small>{row.language}</small>
      </>
    ),
  },
  metricColumn('dr', 'DR', 'Domain rating', 'DR, domain rating', sortedInPicker('dr')),
  metricColumn('da', 'DA', 'Domain authority', 'DA, domain authority', sortedInPicker('da')),
  metricColumn('as', 'AS', 'Authority score', 'AS, authority score', { isWideOnly: true }),
  metricColumn('traffic', 'Traffic', 'Visits per month', 'Monthly traffic', sortedInPicker('traffic')),
  metricColumn('keywords', 'Keywords', 'Keywords it ranks for', 'Keywords', { isWideOnly: true }),
  metricColumn('refDomains', 'Ref. domains', 'Domains that link to it', 'Referring domains', {
    cardLabel: 'Ref. dom.',
    isWideOnly: true,
  }),
  metricColumn('spam', 'Spam', 'Spam score', 'Spam score', { cell: (row) => figure(row.spam, '%') }),
  {
    key: 'link',
    label: 'Link',
    choice: 'Link type',
    placement: 'figure',
    isInPicker: true,
    cell: (row) => (row.follow ? 'DoFollow' : 'NoFollow'),
  },
  {
    key: 'words',
    label: 'Words',
    title: 'Words in an article',
    choice: 'Words in an article',
    align: 'right',
    placement: 'figure',
    isWideOnly: true,
    cell: (row) => formatFigure(row.words),
  },
  {
    key: 'tat',
    label: 'TAT',
    title: 'Turnaround time',
    choice: 'Turnaround',
    placement: 'figure',
    cardLabel: 'Turnaround',
    isInPicker: true,
    cell: (row) => (
      <>
        {formatDays(row.tatDays)}
        {row.fulfilledBy ? (
          <small data-tooltip="Who fulfills an order of this site" className="whitespace-nowrap">
            by {row.fulfilledBy}
          </small>
        ) : null}
      </>
    ),
  },
  {
    key: 'price',
    label: 'Price',
    sort: { key: 'price', first: 'asc' },
    align: 'right',
    placement: 'price',
    isInPicker: true,
    cell: (row) => (
      <>
        <b>{formatUsd(row.usdCents)}</b>
        {row.currency === walletCurrency ? null : <small>{formatMoney(row.priceCents, row.currency)}</small>}
      </>
    ),
  },
];

/** The optional columns. */
export const columnChoices = siteColumns.flatMap(({ key, choice }) => (choice ? [{ key, label: choice }] : []));

function figure(value: number | null, unit = '') {
  return value === null ? <i>–</i> : formatFigure(value, unit);
}
