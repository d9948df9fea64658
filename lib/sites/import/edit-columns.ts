import { toDecimalString } from '@/lib/money';
import { escapeFormula, formulaEscape } from '@/lib/platform/csv';
import type { SiteRow } from '@/lib/sites/views';
import type { ImportField } from './map-header';

/** A column of the export of a seller's sites, which a file of edits has. */
type EditColumn = readonly [field: ImportField, header: string, cell: (site: SiteRow) => string | number | null];

/** The columns that tell which site a row is and which state of it was exported. */
const keyColumns: readonly EditColumn[] = [
  ['id', 'ID', (site) => site.id],
  ['version', 'Version', (site) => site.version],
];

/** The columns that a seller edits. The currency is read with the price and cannot be edited. */
export const editableColumns: readonly EditColumn[] = [
  ['url', 'Website URL', (site) => site.url],
  ['name', 'Name', (site) => site.name],
  ['dr', 'DR', (site) => site.dr],
  ['da', 'DA', (site) => site.da],
  ['authorityScore', 'Authority Score', (site) => site.authorityScore],
  ['spam', 'Spam Score', (site) => site.spam],
  ['traffic', 'Traffic', (site) => site.traffic],
  ['keywordsCount', 'Keywords', (site) => site.keywordsCount],
  ['refDomains', 'Referring Domains', (site) => site.refDomains],
  ['country', 'Country', (site) => site.country],
  ['language', 'Language', (site) => site.language],
  ['niche', 'Niche', (site) => site.niche],
  ['postType', 'Post Type', (site) => site.postType],
  ['followType', 'Follow Type', (site) => site.followType],
  ['words', 'Words', (site) => site.words],
  ['tat', 'TAT', (site) => site.tat],
  ['sellerPrice', 'Price', (site) => (site.sellerPriceCents === null ? null : toDecimalString(site.sellerPriceCents))],
  ['currency', 'Currency', (site) => site.publicCurrency],
  ['samplePosts', 'Sample Posts', (site) => site.samplePosts.replaceAll('\n', ' ')],
  ['rules', 'Rules', (site) => site.rules],
];

/** The columns of the export, with headers that the import recognizes. */
export const exportColumns = [...keyColumns, ...editableColumns].map(([, header, cell]) => [header, cell] as const);

/**
 * Checks whether a cell is as the export wrote it, so that it is no edit, whatever it contains. Spreadsheets change line
 * breaks, and some drop the apostrophe before a formula.
 */
export function isAsExported(cell: string, exported: string | number | null): boolean {
  const text = String(exported ?? '');
  return [text, escapeFormula(text), text.replace(formulaEscape, '')].map(unify).includes(unify(cell));
}

const unify = (text: string) => text.replace(/\r\n?/g, '\n').trim();
