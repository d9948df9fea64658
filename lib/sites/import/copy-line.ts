import type { SiteDraft } from './site-draft';

/** The columns that a file fills, in the order they are copied. */
export const copiedColumns = [
  ...(['url', 'url_key', 'name', 'niche', 'post_type', 'country', 'language', 'follow_type'] as const),
  ...(['dr', 'da', 'authority_score', 'spam', 'traffic', 'keywords_count', 'ref_domains', 'words'] as const),
  ...(['tat', 'tat_days', 'seller_price_cents', 'admin_price_cents', 'public_price_cents'] as const),
  ...(['public_currency', 'public_price_usd_cents', 'status'] as const),
] satisfies readonly (keyof SiteDraft)[];

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escaped = (text: string) =>
  special.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign) : text;

/** A line of COPY's text format: tabs between columns, a backslash before what would be read as something else. */
export function copyLine(site: SiteDraft): string {
  let line = '';
  for (const column of copiedColumns) {
    const value = site[column];
    if (line !== '') line += '\t';
    line += value === null ? '\\N' : typeof value === 'number' ? value : escaped(value);
  }
  return `${line}\n`;
}
