import { type FollowType, type SiteStatus, siteStatuses } from '@/db/schema/sites';
import { type Currency, convertToUsdCents, currencies } from '@/lib/money';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { normalizeLine } from '@/lib/network/visible-text';
import { formulaEscape } from '@/lib/platform/csv';
import type { CsvRecord } from '@/lib/platform/parse-csv';
import { parseField, parsePrice } from '@/lib/platform/parse-number';
import { hasContactData } from '@/lib/sites/contact-data';
import { contactInRules } from '@/lib/sites/edit-schemas';
import {
  belowOneCentMessage,
  findFollowType,
  findForeignSample,
  foreignSampleMessage,
  parseSamplePosts,
  parseSiteAddress,
  parseTurnaround,
  type Rates,
  turnaroundMessage,
} from '@/lib/sites/field-values';
import { type SiteFigure, siteFigures } from '@/lib/sites/figures';
import { priceOnApproval } from '@/lib/sites/pricing/price-by-rule';
import { findCountry } from '@/lib/taxonomy/find-country';
import { findLanguage } from '@/lib/taxonomy/find-language';
import type { FileAnalysis } from './analyze-file';
import type { RowProblem, SiteDraft } from './copy-line';
import { addNiche, findNiche, type KnownNames, postTypeKey, type RowContext } from './known-names';
import type { ImportAudience, ImportColumn, ImportField } from './map-header';

/**
 * Parses a row as a site. An empty cell gets the column's default; a cell that cannot be parsed is an error and never
 * replaced by the default.
 */
export function parseRow(record: CsvRecord, context: RowContext): { site: SiteDraft } | { problem: RowProblem } {
  const { analysis, audience, known } = context;
  const broken = findBrokenRow(record, analysis);
  if (broken) return { problem: broken };
  const cells = createCellReader(record, analysis);
  const { url, urlKey } = parseUrl(cells);
  const niche = parseNiche(cells, known);
  const status = audience === 'staff' ? parseStatus(cells) : 'Pending';
  const site: SiteDraft = {
    url,
    url_key: urlKey,
    domain: getSiteDomain(url),
    // The default is the host.
    name: cells.text('name', 200) || urlKey.replace(/[/:?].*$/, ''),
    niche,
    post_type: parsePostType(cells, known),
    country: parseNamed(cells, 'country'),
    language: parseNamed(cells, 'language'),
    follow_type: parseFollowType(cells),
    dr: cells.number('dr'),
    da: cells.number('da'),
    authority_score: cells.number('authorityScore'),
    spam: cells.number('spam'),
    traffic: cells.number('traffic'),
    keywords_count: cells.number('keywordsCount'),
    ref_domains: cells.number('refDomains'),
    words: cells.number('words') ?? 600,
    sample_posts: parseSampleCell(cells, url),
    rules: parseRules(cells, audience),
    ...parseTat(cells),
    ...parsePrices(cells, context, { niche, status }),
    status,
  };
  const problem = cells.problem() ?? checkNiche(cells, known, site.niche);
  return problem ? { problem } : { site };
}

/** Finds out why the cells of a row cannot be told apart; null for a row that can be read. */
export function findBrokenRow({ row, cells, isMalformed }: CsvRecord, { headers }: FileAnalysis): RowProblem | null {
  const problem = (reason: string) => ({ row, column: '', reason });
  if (isMalformed) return problem('A quote (") inside a quoted cell is not doubled.');
  if (cells.slice(headers.length).every((cell) => cell.trim() === '')) return null;
  return problem(
    `The row has more cells than the header's ${headers.length}. A cell with a separator in it needs quotes.`,
  );
}

export function parseUrl(cells: CellReader): { url: string; urlKey: string } {
  const text = cells.text('url', 500);
  const address = parseSiteAddress(text);
  if (address === null)
    cells.fail('url', text === '' ? 'The URL is missing.' : 'Enter a web address, e.g. https://example.com.');
  return address ?? { url: '', urlKey: '' };
}

export function parseNiche(cells: CellReader, known: KnownNames): string {
  const text = cells.text('niche') || 'General';
  return findNiche(known.niches, text) ?? text;
}

/** Adds the niche of a valid row to the known ones, and fails if it is one too many. */
function checkNiche(cells: CellReader, known: KnownNames, niche: string): RowProblem | null {
  const reason = addNiche(known, niche);
  if (reason !== null) cells.fail('niche', reason);
  return cells.problem();
}

const namedFields = {
  country: {
    find: findCountry,
    absent: 'USA',
    message: 'Use the name of one country or its ISO code, e.g. United Kingdom or GB.',
  },
  language: {
    find: findLanguage,
    absent: 'English',
    message: 'Use the names of languages or their ISO codes, e.g. German or de, separated by commas.',
  },
};

export function parseNamed(cells: CellReader, field: keyof typeof namedFields): string {
  const text = cells.text(field);
  const { find, absent, message } = namedFields[field];
  if (text === '') return absent;
  const found = find(text);
  if (found === undefined) cells.fail(field, message);
  return found ?? text;
}

export function parsePostType(cells: CellReader, known: KnownNames): string {
  const text = cells.text('postType') || 'Guest posts';
  const found = known.postTypes.get(postTypeKey(text));
  if (found === undefined) cells.fail('postType', `Use one of ${[...known.postTypes.values()].join(', ')}.`);
  return found ?? text;
}

// A map instead of an object, because a cell may contain "constructor".
const statusNames = new Map<string, SiteStatus>([
  ...siteStatuses.map((status) => [status.toLowerCase(), status] as const),
  ['active', 'Approved'],
  ['live', 'Approved'],
  ['new', 'Pending'],
]);

export function parseFollowType(cells: CellReader): FollowType {
  const text = cells.text('followType');
  if (text === '') return 'DoFollow';
  const found = findFollowType(text);
  if (!found) cells.fail('followType', 'Use DoFollow or NoFollow.');
  return found ?? 'DoFollow';
}

function parseStatus(cells: CellReader): SiteStatus {
  const text = cells.text('status').toLowerCase();
  if (text === '') return 'Pending';
  const found = statusNames.get(text);
  if (!found) cells.fail('status', `Use one of ${siteStatuses.join(', ')}.`);
  return found ?? 'Pending';
}

export function parseSampleCell(cells: CellReader, url: string): string {
  const text = cells.text('samplePosts', 3_000);
  if (text === '') return '';
  const read = parseSamplePosts(text);
  if ('problem' in read) {
    cells.fail('samplePosts', read.problem);
    return '';
  }
  if (url !== '' && findForeignSample({ url, samplePosts: read.urls })) cells.fail('samplePosts', foreignSampleMessage);
  return read.urls;
}

export function parseRules(cells: CellReader, audience: ImportAudience): string {
  const text = cells.lines('rules', 2_000);
  if (text !== '' && audience === 'seller' && hasContactData(text)) cells.fail('rules', contactInRules);
  return text;
}

export function parseTat(cells: CellReader): { tat: string; tat_days: number } {
  const text = cells.text('tat');
  // "TAT (hours)" has the unit of the column's numbers.
  const [, unit] = /[([]([^()[\]]+)[)\]]/.exec(cells.column('tat')?.header ?? '') ?? [];
  const read = unit && /^[\d\s.,+–-]+$/.test(text) ? parseTurnaround(`${text} ${unit}`) : parseTurnaround(text);
  if (!read) cells.fail('tat', turnaroundMessage(text));
  return { tat: read?.tat ?? text, tat_days: read?.tatDays ?? 0 };
}

/** Placeholders for an empty cell. */
const emptyPlaceholder = /^(?:[-–—]+|n\/?a|#n\/a|null|none|nan)$/i;

/** Fast path: printable ASCII with single spaces, which needs no normalization. */
const normalizedPattern = /^(?:[!-&(-~]+(?: [!-~]+)*)?$/;

/**
 * Removes line breaks, control characters, characters that are not shown, and the apostrophe that this application's
 * exports put before a formula.
 */
function normalizeCell(cell: string): string {
  if (normalizedPattern.test(cell)) return cell;
  return normalizeLine(cell.replace(/[\s\p{Cc}]+/gu, ' ')).replace(formulaEscape, '');
}

/** Normalizes each line of a cell as `normalizeCell` does, and keeps the line breaks. */
function normalizeProse(cell: string): string {
  const lines = cell.trim().replace(formulaEscape, '').split('\n');
  return lines
    .map((line) => normalizeLine(line.replace(/[\s\p{Cc}]+/gu, ' ')))
    .join('\n')
    .trim();
}

export type CellReader = {
  column: (field: ImportField) => ImportColumn | undefined;
  /** Returns the cell on one line and trimmed, '' if it is empty. */
  text: (field: ImportField, maxLength?: number) => string;
  /** Returns the cell with its line breaks. */
  lines: (field: ImportField, maxLength: number) => string;
  number: (figure: SiteFigure) => number | null;
  /** Returns the amount in minor units, and the currency that the cell or its header names; null for an empty cell. */
  price: (field: PriceField) => { cents: number; currency: Currency | null } | null;
  /** Records the first problem of the row. */
  fail: (field: ImportField, reason: string) => null;
  problem: () => RowProblem | null;
};

type PriceField = 'sellerPrice' | 'adminPrice' | 'publicPrice';

/** Creates a reader of one row's cells by field. The first invalid cell is the row's problem. */
export function createCellReader({ row, cells }: CsvRecord, { columns, style }: FileAnalysis): CellReader {
  const problems: RowProblem[] = [];
  const fail: CellReader['fail'] = (field, reason) => {
    if (problems.length === 0) problems.push({ row, column: columns[field]?.header ?? '', reason });
    return null;
  };
  const read = (field: ImportField, maxLength: number, normalize: (cell: string) => string) => {
    const column = columns[field];
    if (!column) return '';
    const cell = normalize(cells[column.index] ?? '');
    if (cell.length > maxLength) {
      fail(field, `Use at most ${maxLength} characters.`);
      return '';
    }
    return emptyPlaceholder.test(cell) ? '' : cell;
  };
  const text: CellReader['text'] = (field, maxLength = 100) => read(field, maxLength, normalizeCell);
  return {
    column: (field) => columns[field],
    text,
    lines: (field, maxLength) => read(field, maxLength, normalizeProse),
    number: (figure) => {
      const cell = text(figure);
      if (cell === '') return null;
      const { decimal, reason } = parseField(cell, siteFigures[figure], style);
      if (reason !== undefined) return fail(figure, reason);
      return siteFigures[figure].kind === 'count' ? Math.round(Number(decimal)) : Number(decimal);
    },
    price: (field) => {
      const cell = text(field);
      if (cell === '') return null;
      const parsed = parsePrice(cell, style);
      if ('reason' in parsed) return fail(field, parsed.reason);
      return { cents: parsed.cents, currency: parsed.currency ?? columns[field]?.currency ?? null };
    },
    fail,
    problem: () => problems[0] ?? null,
  };
}

/**
 * Parses the prices. All prices of a site must be in one currency; a row with two currencies is rejected. An approved site
 * without a public price gets one by the commission rules.
 */
function parsePrices(
  cells: CellReader,
  { pricing, userId }: RowContext,
  { niche, status }: Pick<SiteDraft, 'niche' | 'status'>,
) {
  let currency = parseCurrencyCell(cells);
  const price = (field: PriceField) => {
    const read = cells.price(field);
    if (read?.currency && currency && read.currency !== currency) {
      return cells.fail(
        field,
        `This is in ${read.currency}, but the row's other prices or its currency are in ${currency}.`,
      );
    }
    currency ??= read?.currency ?? null;
    return read?.cents ?? null;
  };
  const [sellerCents, typedAdminCents, typedPublicCents] = [
    price('sellerPrice'),
    price('adminPrice'),
    price('publicPrice'),
  ];
  const inForce = currency ?? 'USD';
  const typed = { publicPriceCents: typedPublicCents, adminPriceCents: typedAdminCents };
  const site = { ownerId: userId, niche, publicCurrency: inForce, sellerPriceCents: sellerCents, isPriceStale: false };
  const { changes } = status === 'Approved' ? priceOnApproval(pricing, { ...site, ...typed }, typed) : { changes: {} };
  const { publicPriceCents: publicCents, adminPriceCents: adminCents } = { ...typed, ...changes };
  return {
    seller_price_cents: sellerCents,
    admin_price_cents: adminCents,
    public_price_cents: publicCents,
    public_currency: inForce,
    public_price_usd_cents:
      publicCents === null ? null : convertPublicPrice(cells, publicCents, inForce, pricing.rates),
  };
}

export function parseCurrencyCell(cells: CellReader): Currency | null {
  const text = cells.text('currency');
  if (text === '') return null;
  const code = text.toUpperCase();
  const found = currencies.find((known) => known === code) ?? currencyBySign.get(code);
  return found ?? cells.fail('currency', `Use one of ${currencies.join(', ')}.`);
}

const currencyBySign = new Map<string, Currency>([
  ['$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
]);

/** Converts the public price to USD at the current rate. A price in a currency without a rate is rejected. */
function convertPublicPrice(cells: CellReader, cents: number, currency: Currency, rates: Rates): number | null {
  const rate = currency === 'USD' ? 1_000_000 : rates.get(currency);
  if (!rate) {
    return cells.fail('publicPrice', `There is no exchange rate for ${currency}, so a price in it cannot be listed.`);
  }
  return convertToUsdCents(cents, rate) || cells.fail('publicPrice', belowOneCentMessage);
}
