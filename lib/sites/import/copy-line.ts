import type { FollowType, SiteStatus } from '@/db/schema/sites';
import type { Currency } from '@/lib/money';

/** The columns that an import sets, in the order they are copied. */
export const copiedColumns = [
  ...(['url', 'url_key', 'domain', 'name', 'niche', 'post_type', 'country', 'language', 'follow_type'] as const),
  ...(['dr', 'da', 'authority_score', 'spam', 'traffic', 'keywords_count', 'ref_domains', 'words'] as const),
  ...(['sample_posts', 'rules'] as const),
  ...(['tat', 'tat_days', 'seller_price_cents', 'admin_price_cents', 'public_price_cents'] as const),
  ...(['public_currency', 'public_price_usd_cents', 'status'] as const),
] satisfies readonly (keyof SiteDraft)[];

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escapeCopyText = (text: string) =>
  special.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign) : text;

/** Formats a line of COPY's text format: tab-separated values with special characters escaped by a backslash. */
export function formatCopyLine(site: SiteDraft): string {
  let line = '';
  for (const column of copiedColumns) {
    const value = site[column];
    if (line !== '') line += '\t';
    line += value === null ? '\\N' : typeof value === 'number' ? value : escapeCopyText(value);
  }
  return `${line}\n`;
}

/** A site parsed from a row, under the table's column names; money in minor units of `public_currency`. */
export type SiteDraft = {
  url: string;
  url_key: string;
  domain: string;
  name: string;
  niche: string;
  post_type: string;
  country: string;
  language: string;
  follow_type: FollowType;
  dr: number | null;
  da: number | null;
  authority_score: number | null;
  spam: number | null;
  traffic: number | null;
  keywords_count: number | null;
  ref_domains: number | null;
  words: number;
  /** URLs, one a line. */
  sample_posts: string;
  rules: string;
  tat: string;
  tat_days: number;
  seller_price_cents: number | null;
  admin_price_cents: number | null;
  public_price_cents: number | null;
  public_currency: Currency;
  public_price_usd_cents: number | null;
  status: SiteStatus;
};

/** The reason a row was skipped. `column` is the header as spelled in the file, '' for the whole row. */
export type RowProblem = { row: number; column: string; reason: string };
