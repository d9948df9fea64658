import { type FollowType, type SiteStatus, siteStatuses } from '../../../db/schema/sites';
import { readSiteUrl } from '../site-url';
import { readTurnaround } from '../tat-days';
import { urlKey } from '../url-key';
import type { Rates } from '../usd-price';
import { type CellReader, readCells } from './cell-reader';
import { type KnownNames, nicheKey, postTypeKey } from './known-names';
import type { ImportAudience } from './map-header';
import { readPrices } from './read-prices';
import type { CsvRecord } from './read-records';
import type { RowProblem, SiteDraft } from './site-draft';
import type { Survey } from './survey';

export type RowContext = {
  survey: Survey;
  audience: ImportAudience;
  known: KnownNames;
  rates: Rates;
};

/**
 * A row as a site, or why it cannot be one. What the file does not say gets the table's standard values (spec 001,
 * section 9); what it says and cannot be read is never replaced by them.
 */
export function readRow(record: CsvRecord, context: RowContext): { site: SiteDraft } | { problem: RowProblem } {
  const { survey, audience, known, rates } = context;
  const whole = (reason: string) => ({ problem: { row: record.row, column: '', reason } });
  if (record.isMalformed) return whole('A quote (") inside a quoted cell is not doubled.');
  if (record.cells.slice(survey.headers.length).some((cell) => cell.trim() !== '')) {
    return whole(
      `The row has more cells than the header's ${survey.headers.length}. A cell with a separator in it needs quotes.`,
    );
  }
  const cells = readCells(record, survey);
  const url = readUrl(cells);
  const site: SiteDraft = {
    url,
    url_key: urlKey(url),
    name: cells.text('name', 200) || hostOf(url),
    niche: readNiche(cells, known),
    post_type: readPostType(cells, known),
    country: cells.text('country') || 'USA',
    language: cells.text('language') || 'English',
    follow_type: readFollowType(cells),
    dr: cells.number('dr', 'score', 100),
    da: cells.number('da', 'score', 100),
    authority_score: cells.number('authorityScore', 'score', 100),
    spam: cells.number('spam', 'score', 100),
    traffic: cells.number('traffic', 'count', 1_000_000_000_000),
    keywords_count: cells.number('keywordsCount', 'count', 2_000_000_000),
    ref_domains: cells.number('refDomains', 'count', 2_000_000_000),
    words: cells.number('words', 'count', 100_000) ?? 600,
    ...readTat(cells),
    ...readPrices(cells, rates),
    status: audience === 'staff' ? readStatus(cells) : 'Pending',
  };
  const problem = cells.problem();
  return problem ? { problem } : { site };
}

function readUrl(cells: CellReader): string {
  const text = cells.text('url', 500);
  const url = readSiteUrl(text);
  if (url === null)
    cells.fail('url', text === '' ? 'The URL is missing.' : 'This is no web address, e.g. https://example.com.');
  return url ?? '';
}

/** What a site without a name of its own is called. */
function hostOf(url: string): string {
  return url === '' ? '' : new URL(url).hostname.replace(/^www\./, '');
}

function readNiche(cells: CellReader, known: KnownNames): string {
  const text = cells.text('niche') || 'General';
  return known.niches.get(nicheKey(text)) ?? text;
}

function readPostType(cells: CellReader, known: KnownNames): string {
  const text = cells.text('postType') || 'Guest posts';
  const found = known.postTypes.get(postTypeKey(text));
  if (found === undefined) cells.fail('postType', `Use one of ${[...known.postTypes.values()].join(', ')}.`);
  return found ?? text;
}

// Maps, because a cell may also say "constructor".
const followWords = new Map<string, FollowType>([
  ...['dofollow', 'follow', 'df', 'yes', 'y', 'true', '1', 'ja'].map((word) => [word, 'DoFollow'] as const),
  ...['nofollow', 'nf', 'no', 'n', 'false', '0', 'nein'].map((word) => [word, 'NoFollow'] as const),
]);
const statusWords = new Map<string, SiteStatus>([
  ...siteStatuses.map((status) => [status.toLowerCase(), status] as const),
  ['active', 'Approved'],
  ['live', 'Approved'],
  ['new', 'Pending'],
]);

function readFollowType(cells: CellReader): FollowType {
  const text = cells.text('followType');
  if (text === '') return 'DoFollow';
  const found = followWords.get(text.toLowerCase().replace(/[\s-]/g, ''));
  if (!found) cells.fail('followType', 'Use DoFollow or NoFollow.');
  return found ?? 'DoFollow';
}

function readStatus(cells: CellReader): SiteStatus {
  const text = cells.text('status').toLowerCase();
  if (text === '') return 'Pending';
  const found = statusWords.get(text);
  if (!found) cells.fail('status', `Use one of ${siteStatuses.join(', ')}.`);
  return found ?? 'Pending';
}

function readTat(cells: CellReader): { tat: string; tat_days: number } {
  const text = cells.text('tat');
  const read = readTurnaround(text);
  if (!read) cells.fail('tat', 'Use a number of days, e.g. 5 Days.');
  return { tat: read?.tat ?? text, tat_days: read?.tatDays ?? 0 };
}
