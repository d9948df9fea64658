import { AppError } from '@/lib/errors';
import { type Currency, convertToUsdCents } from '@/lib/money';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';
import type { getExchangeRates } from '@/lib/settings/exchange-rates';

/** The maximum length of a site's URL, and in bytes, because an index holds it (db/schema/sites.ts). */
const maxLength = 500;
const maxBytes = 1_000;
/** A host name that can be registered: several labels, the last one of letters; no bare name and no IP address. */
const publicHost = /^([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(\p{L}{2,63}|xn--[a-z0-9-]{2,59})\.?$/u;

/**
 * Parses a site's URL from a form or a file. Adds https:// if the scheme is missing. Only accepts http and https URLs
 * with a public host, so that a link can neither run a script nor open a file.
 * @returns the URL, or null if it is invalid
 */
export function parseSiteUrl(typed: string): string | null {
  const text = typed.trim();
  const address = /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  // The URL parser silently removes line breaks and converts backslashes, so the stored URL would differ from the link.
  if (
    address.length > maxLength ||
    Buffer.byteLength(address) > maxBytes ||
    /[\s\p{Cc}\\]/u.test(address) ||
    !canParseUrl(address)
  )
    return null;
  const { hostname, username, password } = new URL(address);
  // Rejects "mailto:me@example.com", which parses as a user name after https://, and credentials that disguise the host.
  if (username || password) return null;
  return publicHost.test(hostname) ? address : null;
}

/**
 * Normalizes a URL for the uniqueness of a site: without scheme, www, case, trailing slash and fragment. Keeps the query,
 * because it identifies the page on some sites.
 * @param url with or without a scheme
 */
export function normalizeSiteUrl(url: string): string {
  return url
    .trim()
    .toLowerCase()
    .replace(/#.*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '');
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

/** The default turnaround of a site. */
const defaultTurnaround = { tat: '3 Days', tatDays: 3 };
const maxDays = 365;

type Turnaround = {
  /** The text as displayed. */
  tat: string;
  tatDays: number;
};

/**
 * Parses a turnaround from a form or a file. An empty text is the default; a bare number is a number of days.
 * @returns null for a text that names no duration
 */
export function parseTurnaround(text: string): Turnaround | null {
  if (text === '') return defaultTurnaround;
  if (!/\d|same day|today/i.test(text)) return null;
  const tatDays = parseTatDays(text);
  return { tat: /^\d+$/.test(text) ? `${tatDays} ${tatDays === 1 ? 'Day' : 'Days'}` : text, tatDays };
}

/**
 * Converts a turnaround text to days: "5 Days" is 5, "24 hours" 1, "2-3 weeks" 21. A bare number is days, a range counts
 * by its upper end, and a text without a number has the default of 3.
 */
export function parseTatDays(text: string): number {
  const numbers = text.match(/\d+(?:[.,]\d+)?/g)?.map((digits) => Number(digits.replace(',', '.'))) ?? [];
  if (numbers.length === 0) return /same day|today/i.test(text) ? 1 : defaultTurnaround.tatDays;
  return Math.min(maxDays, Math.max(1, Math.ceil(Math.max(...numbers) * getDaysPerUnit(text))));
}

function getDaysPerUnit(text: string): number {
  if (/\b(?:h(?:ou)?rs?|stunden?|std)\b|\d\s*h\b/i.test(text)) return 1 / 24;
  if (/week|woche|\d\s*wk?s?\b/i.test(text)) return 7;
  return /month|monat|\d\s*mo\b/i.test(text) ? 30 : 1;
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
