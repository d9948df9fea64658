import { findForeignSample, foreignSampleMessage, otherCurrencyMessage } from '@/lib/sites/field-values';
import type { SiteRow } from '@/lib/sites/views';
import type { RowProblem } from './copy-line';
import { editableColumns, isAsExported } from './edit-columns';
import type { KnownNames } from './known-names';
import type { ImportField } from './map-header';
import {
  type CellReader,
  parseCurrencyCell,
  parseFollowType,
  parseNamed,
  parseNiche,
  parsePostType,
  parseRules,
  parseSampleCell,
  parseTat,
  parseUrl,
} from './parse-row';

type Figures = 'dr' | 'da' | 'authorityScore' | 'spam' | 'traffic' | 'keywordsCount' | 'refDomains' | 'words';
type Texts = 'url' | 'name' | 'country' | 'language' | 'niche' | 'postType' | 'followType' | 'tat' | 'samplePosts';

/** The new values of a site's columns. */
export type SiteEdit = Partial<Pick<SiteRow, Figures | Texts | 'sellerPriceCents' | 'rules'>>;

/** The row of a site in a file of edits. */
type EditedRow = {
  cells: CellReader;
  site: SiteRow;
  /** Whether the row names the site by its address and post type, which then are no edits, however they are spelled. */
  isByAddress: boolean;
  known: KnownNames;
};

/** Parses the cells of each field. An empty cell of a field in `required` is refused before. */
const parsers: Partial<Record<ImportField, (row: EditedRow) => SiteEdit>> = {
  url: ({ cells }) => ({ url: parseUrl(cells).url }),
  name: ({ cells }) => ({ name: cells.text('name', 200) }),
  dr: ({ cells }) => ({ dr: cells.number('dr') }),
  da: ({ cells }) => ({ da: cells.number('da') }),
  authorityScore: ({ cells }) => ({ authorityScore: cells.number('authorityScore') }),
  spam: ({ cells }) => ({ spam: cells.number('spam') }),
  traffic: ({ cells }) => ({ traffic: cells.number('traffic') }),
  keywordsCount: ({ cells }) => ({ keywordsCount: cells.number('keywordsCount') }),
  refDomains: ({ cells }) => ({ refDomains: cells.number('refDomains') }),
  country: ({ cells }) => ({ country: parseNamed(cells, 'country') }),
  language: ({ cells }) => ({ language: parseNamed(cells, 'language') }),
  niche: ({ cells, known }) => ({ niche: parseNiche(cells, known) }),
  postType: ({ cells, known }) => ({ postType: parsePostType(cells, known) }),
  followType: ({ cells }) => ({ followType: parseFollowType(cells) }),
  words: ({ cells }) => ({ words: cells.number('words') ?? undefined }),
  tat: ({ cells }) => ({ tat: parseTat(cells).tat }),
  sellerPrice: ({ cells, site }) => {
    const price = cells.price('sellerPrice');
    if (price?.currency && price.currency !== site.publicCurrency)
      cells.fail('sellerPrice', otherCurrencyMessage(price.currency, site.publicCurrency));
    return { sellerPriceCents: price?.cents };
  },
  currency: ({ cells, site }) => {
    const currency = parseCurrencyCell(cells);
    if (currency !== null && currency !== site.publicCurrency)
      cells.fail('currency', `The prices of this site are in ${site.publicCurrency}, which a file cannot change.`);
    return {};
  },
  samplePosts: ({ cells }) => ({ samplePosts: parseSampleCell(cells, '') }),
  rules: ({ cells }) => ({ rules: parseRules(cells, 'seller') }),
};

/** Fields that every site has. An empty cell of another field removes its value. */
const required: ReadonlySet<ImportField> = new Set([
  ...([
    'url',
    'name',
    'country',
    'language',
    'niche',
    'postType',
    'followType',
    'words',
    'tat',
    'sellerPrice',
  ] as const),
]);

/**
 * Parses the edits of a row: the cells that differ from what the export writes for the site now. Columns that the file
 * does not have are no edits, and neither are cells behind the end of a short row.
 */
export function parseEdit(
  row: EditedRow,
  record: { cells: readonly string[] },
): { changes: SiteEdit } | { problem: RowProblem } {
  const { cells, site, isByAddress } = row;
  const changes: SiteEdit = {};
  for (const [field, , format] of editableColumns) {
    if (isByAddress && (field === 'url' || field === 'postType')) continue;
    const cell = record.cells[cells.column(field)?.index ?? -1];
    if (cell === undefined || isAsExported(cell, format(site))) continue;
    if (required.has(field) && cells.text(field, cell.length) === '')
      cells.fail(field, 'This cell cannot be empty. Fill it in, or remove the column to change nothing.');
    Object.assign(changes, parsers[field]?.(row));
  }
  const after = { ...site, ...changes };
  if (findForeignSample(after) !== undefined)
    cells.fail(changes.samplePosts === undefined ? 'url' : 'samplePosts', foreignSampleMessage);
  const problem = cells.problem();
  if (problem) return { problem };
  return { changes: omitEqual(changes, site) };
}

const omitEqual = (changes: SiteEdit, site: SiteRow): SiteEdit => {
  const before = new Map<string, unknown>(Object.entries(site));
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && value !== before.get(name)),
  );
};
