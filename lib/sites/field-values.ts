import type { FollowType } from '@/db/schema/sites';
import { AppError } from '@/lib/errors';
import { type Currency, convertToUsdCents } from '@/lib/money';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';
import { getComparedHost, isPublicHost, parseWebAddress, type WebAddress } from '@/lib/network/web-address';
import type { getExchangeRates } from '@/lib/settings/exchange-rates';
import { parseDays } from './parse-duration';

/** The maximum length of a site's URL, and in bytes, because an index holds it (db/schema/sites.ts). */
const maxLength = 500;
const maxBytes = 1_000;

/**
 * Parses a site's URL from a form or a file: http or https, with a public host.
 * @returns the URL and its key for uniqueness (`normalizeSiteUrl`), or null if it is invalid
 */
export function parseSiteAddress(typed: string): { url: string; urlKey: string } | null {
  const parsed = parseWebAddress(typed);
  if (!parsed || !isPublicHost(parsed.url.hostname)) return null;
  const [url, urlKey] = [parsed.address, toUrlKey(parsed)];
  const bytes = Math.max(Buffer.byteLength(url), Buffer.byteLength(urlKey));
  return url.length > maxLength || bytes > maxBytes ? null : { url, urlKey };
}

export const parseSiteUrl = (typed: string): string | null => parseSiteAddress(typed)?.url ?? null;

/**
 * Normalizes a URL for the uniqueness of a site: the host as the URL parser gives it, without scheme, www, default port,
 * case, trailing slash, fragment and an empty query. Keeps a query, because it identifies the page on some sites.
 * @param url with or without a scheme
 */
export function normalizeSiteUrl(url: string): string {
  const parsed = parseWebAddress(url);
  return parsed ? toUrlKey(parsed) : url.trim().toLowerCase();
}

function toUrlKey({ address, url }: WebAddress): string {
  const port = ['', '80', '443'].includes(url.port) ? '' : `:${url.port}`;
  const path = address.replace(/^[^:]*:\/\/[^/?#]*\/?/, '/').replace(/#.*$/s, '');
  return `${getComparedHost(url)}${port}${path}`.toLowerCase().replace(/[/?]+$/, '');
}

/** The maximum number of sample posts of a site. */
const maxSamplePosts = 5;

/**
 * Parses the URLs of sample posts, separated by spaces or line breaks. Adds https:// where the scheme is missing.
 * @returns one URL a line; or what is wrong
 */
export function parseSamplePosts(typed: string): { urls: string } | { problem: string } {
  const input = typed.split(/[\s|]+/).filter((text) => text !== '');
  const urls = [...new Set(input.map(parseSiteUrl))];
  if (urls.includes(null)) return { problem: 'Use web addresses of posts, e.g. https://example.com/a-post.' };
  if (urls.length > maxSamplePosts) return { problem: `Use at most ${maxSamplePosts} sample posts.` };
  return { urls: urls.join('\n') };
}

export const listSamplePosts = (samplePosts: string): string[] => samplePosts.split('\n').filter(Boolean);

/**
 * Finds a sample post on another website than the site. Buyers follow these links, so they must not lead to a page about
 * the seller.
 */
export function findForeignSample({ url, samplePosts }: { url: string; samplePosts: string }): string | undefined {
  const domain = getRegistrableDomain(url);
  return listSamplePosts(samplePosts).find((post) => getRegistrableDomain(post) !== domain);
}

export const foreignSampleMessage = 'Use posts on the site itself.';

/** Requires sample posts on the own website. @throws AppError invalid_input for a sample post on another website */
export function requireOwnSamples(site: { url: string; samplePosts: string }): void {
  if (findForeignSample(site) === undefined) return;
  throw new AppError('invalid_input', foreignSampleMessage, { fields: { samplePosts: foreignSampleMessage } });
}

const followTypeNames = new Map<string, FollowType>([
  ...['dofollow', 'follow', 'df', 'yes', 'y', 'true', '1', 'ja'].map((word) => [word, 'DoFollow'] as const),
  ...['nofollow', 'nf', 'no', 'n', 'false', '0', 'nein'].map((word) => [word, 'NoFollow'] as const),
]);

/** Finds the follow type that a form or a file names: "nofollow", "do-follow", "yes". */
export const findFollowType = (text: string): FollowType | undefined =>
  followTypeNames.get(text.toLowerCase().replace(/[\s-]/g, ''));

/** The default turnaround of a site. */
const defaultDays = 3;
const maxDays = 365;

type Turnaround = {
  /** The days as the API names them: "1 Day", "5 Days". Screens show them in lower case. */
  tat: string;
  tatDays: number;
};

/**
 * Parses a turnaround from a form or a file (lib/sites/parse-duration.ts). An empty text is the default; a bare number is a
 * number of days.
 * @returns null for a text that is no duration of 1 to 365 days
 */
export function parseTurnaround(text: string): Turnaround | null {
  const plain = /^(\d{1,3})(?: days?)?$/i.exec(text)?.[1];
  const tatDays = text === '' ? defaultDays : plain ? Number(plain) : parseDays(text);
  if (tatDays === null || tatDays < 1 || tatDays > maxDays) return null;
  return { tat: `${tatDays} ${tatDays === 1 ? 'Day' : 'Days'}`, tatDays };
}

/** Returns why a turnaround is refused. */
export const turnaroundMessage = (text: string): string =>
  `“${text}” is not a turnaround of 1 to ${maxDays} days. Use a number of days, e.g. 5 days.`;

/** Returns the days of a turnaround. @throws AppError invalid_input for a text that is none */
export function parseTatDays(text: string): number {
  const read = parseTurnaround(text);
  if (read) return read.tatDays;
  const message = turnaroundMessage(text);
  throw new AppError('invalid_input', message, { fields: { tat: message } });
}

export const otherCurrencyMessage = (named: Currency, currency: Currency): string =>
  `This price is in ${named}: enter it in ${currency}.`;

/** Requires that a price which names a currency names that of the site. @throws AppError invalid_input */
export function requireSiteCurrency(named: Currency | null, currency: Currency): void {
  if (named === null || named === currency) return;
  const message = otherCurrencyMessage(named, currency);
  throw new AppError('invalid_input', message, { fields: { price: message } });
}

export type Rates = Awaited<ReturnType<typeof getExchangeRates>>;

/** The error message for a price that converts to zero cents in USD, which could not be charged. */
export const belowOneCentMessage = 'This is less than one US cent. Use a higher price.';

/**
 * Converts a public price to USD cents at the current rate.
 * @param priceCents minor units of `currency`; null for no price
 * @returns USD cents, or null for no price
 * @throws AppError not_configured for a currency without an exchange rate, invalid_input for less than one cent
 */
export function convertToListedPrice(rates: Rates, priceCents: number | null, currency: Currency): number | null {
  if (priceCents === null) return null;
  const rate = currency === 'USD' ? 1_000_000 : rates.get(currency);
  if (!rate) {
    throw new AppError(
      'not_configured',
      `There is no exchange rate for ${currency}, so a price in it cannot be listed.`,
      { fields: { publicCurrency: 'There is no exchange rate for this currency.' } },
    );
  }
  const usdCents = convertToUsdCents(priceCents, rate);
  if (usdCents === 0)
    throw new AppError('invalid_input', belowOneCentMessage, { fields: { publicPrice: belowOneCentMessage } });
  return usdCents;
}
