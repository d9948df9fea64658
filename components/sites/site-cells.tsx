import { formatMoney, walletCurrency } from '@/lib/money';
import type { MarketplaceRow } from '@/lib/sites/views';
import { formatFigure } from './format-figure';

/** What a row says, in the order of site-table.module.css. */
export function SiteCells({ row }: { row: MarketplaceRow }) {
  return (
    <>
      <td>
        <b>{row.name}</b>
        <a href={row.url} target="_blank" rel="noreferrer">
          {siteHost(row.url)}
        </a>
      </td>
      <td>{row.niche}</td>
      <td>
        {row.country}
        <small>{row.language}</small>
      </td>
      <td>{figure(row.dr)}</td>
      <td>{figure(row.da)}</td>
      <td>{figure(row.as)}</td>
      <td>{figure(row.traffic)}</td>
      <td>{figure(row.keywords)}</td>
      <td>{figure(row.refDomains)}</td>
      <td>{figure(row.spam, '%')}</td>
      <td>{row.follow ? 'DoFollow' : 'NoFollow'}</td>
      <td>{formatFigure(row.words)}</td>
      <td>{row.tatDays === 1 ? '1 day' : `${row.tatDays} days`}</td>
      <td>
        <b>{formatMoney(row.usdCents, walletCurrency)}</b>
        {row.currency === walletCurrency ? null : <small>{formatMoney(row.priceCents, row.currency)}</small>}
      </td>
    </>
  );
}

/** The address without what every address has. */
export function siteHost(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}

function figure(value: number | null, unit = '') {
  return value === null ? <i>–</i> : formatFigure(value, unit);
}
