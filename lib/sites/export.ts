import type { Reader } from '../../db/snapshot';
import { toDecimalString } from '../money';
import { csvLine } from './csv-line';
import { type DeskSiteRow, listDeskSitesAfter } from './desk-queries';
import type { DeskFilter } from './desk-schemas';

const batchSize = 1_000;

const price = (cents: number | null) => (cents === null ? '' : toDecimalString(cents));

/** In headers that the import understands. */
const columns: readonly [header: string, cell: (site: DeskSiteRow) => string | number | null][] = [
  ['ID', (site) => site.id],
  ['Name', (site) => site.name],
  ['URL', (site) => site.url],
  ['DR', (site) => site.dr],
  ['DA', (site) => site.da],
  ['AS', (site) => site.authorityScore],
  ['Traffic', (site) => site.traffic],
  ['Spam', (site) => site.spam],
  ['Keywords', (site) => site.keywordsCount],
  ['Ref Domains', (site) => site.refDomains],
  ['Language', (site) => site.language],
  ['Country', (site) => site.country],
  ['Niche', (site) => site.niche],
  ['Post Type', (site) => site.postType],
  ['Follow Type', (site) => site.followType],
  ['Words', (site) => site.words],
  ['TAT', (site) => site.tat],
  ['Price', (site) => price(site.sellerPriceCents)],
  ['Admin Price', (site) => price(site.adminPriceCents)],
  ['Public Price', (site) => price(site.publicPriceCents)],
  ['Currency', (site) => site.publicCurrency],
  ['Status', (site) => site.status],
  ['Owner', (site) => site.ownerName],
  ['Owner Email', (site) => site.ownerEmail],
];

/** The filtered list as CSV (RFC 4180), piece by piece, so that a million sites are never held at once. */
export async function* exportSites(filter: DeskFilter, on?: Reader): AsyncGenerator<string> {
  // The mark tells spreadsheets that this is UTF-8.
  yield `\uFEFF${csvLine(columns.map(([header]) => header))}`;
  let rows: DeskSiteRow[];
  let afterId = 0;
  do {
    rows = await listDeskSitesAfter(filter, afterId, batchSize, on);
    afterId = rows.at(-1)?.id ?? afterId;
    if (rows.length > 0) yield rows.map((site) => csvLine(columns.map(([, cell]) => cell(site)))).join('');
  } while (rows.length === batchSize);
}
