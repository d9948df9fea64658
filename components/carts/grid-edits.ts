import type { BriefTexts } from '@/components/orders/brief-draft';
import { siteHost } from '@/components/sites/site-text';
import { countOf } from '@/components/ui/format';
import type { BriefColumnKey } from '@/lib/orders/briefs/parse-cells';
import { type BriefColumn, briefColumns, copyCell, getCellText, listArticles, setCellText } from './brief-columns';
import type { CartRow } from './cart-rows';
import { type CellRange, type PasteEdit, type PastePlan, type PasteSite, planPaste } from './map-paste';

/** The column of the table whose cells belong to a brief; undefined for those of the site. */
export const briefColumnAt = (column: number): BriefColumn | undefined => briefColumns[column - 1];

/** Returns the text that all rows have in a column; null where they differ. */
export function getCommonText(rows: readonly CartRow[], column: BriefColumnKey): string | null {
  const [first = '', ...others] = new Set(rows.map(({ brief }) => getCellText(brief, column)));
  return others.length > 0 ? null : first;
}

/** Sets texts of cells. */
function setTexts(rows: readonly CartRow[], edits: readonly PasteEdit[]): readonly CartRow[] {
  const articles = listArticles(rows.map(({ brief }) => brief));
  const bySite = new Map<number, PasteEdit[]>();
  for (const edit of edits) bySite.set(edit.siteId, [...(bySite.get(edit.siteId) ?? []), edit]);
  return rows.map((row) => {
    const own = bySite.get(row.siteId) ?? [];
    const set = (brief: BriefTexts, { column, text }: PasteEdit) => setCellText(brief, column, text, articles);
    return own.length > 0 ? { ...row, brief: own.reduce(set, row.brief) } : row;
  });
}

/** Lists the rows of a range of the table. Its row 0, "Same for all", stands for every site. */
const rowsIn = (rows: readonly CartRow[], { top, bottom }: CellRange): readonly CartRow[] =>
  top === 0 ? rows : rows.slice(top - 1, bottom);

const columnsIn = ({ left, right }: CellRange): readonly BriefColumn[] =>
  briefColumns.slice(Math.max(left, 1) - 1, right);

/** Sets every cell of a range to one text. */
export function setRange(rows: readonly CartRow[], range: CellRange, text: string): readonly CartRow[] {
  const columns = columnsIn(range);
  const edits = rowsIn(rows, range).flatMap(({ siteId }) => columns.map(({ key }) => ({ siteId, column: key, text })));
  return setTexts(rows, edits);
}

/**
 * Fills a range from its first row, a single row from the row above it, and the first site's row down to the end: there
 * is no site above it.
 */
export function fillDown(rows: readonly CartRow[], range: CellRange): readonly CartRow[] {
  const first = Math.max(range.top, 1) - 1;
  const isSingle = range.bottom <= Math.max(range.top, 1);
  const source = rows[isSingle && first > 0 ? first - 1 : first];
  const last = isSingle && first === 0 ? rows.length - 1 : range.bottom - 1;
  if (!source) return rows;
  const fill = (brief: BriefTexts) =>
    columnsIn(range).reduce((filled, { key }) => copyCell(filled, key, source.brief), brief);
  return rows.map((row, index) => (index >= first && index <= last ? { ...row, brief: fill(row.brief) } : row));
}

/** Returns the texts of a range, as they are copied. */
export function getTexts(rows: readonly CartRow[], sites: readonly PasteSite[], range: CellRange): string[][] {
  const columns = columnsIn(range);
  const texts: string[][] = [];
  for (let row = range.top; row <= range.bottom; row += 1) {
    const brief = rows[row - 1]?.brief;
    const cells = columns.map(({ key }) => (brief ? getCellText(brief, key) : (getCommonText(rows, key) ?? '')));
    const site = row === 0 ? 'Same for all' : siteHost(sites[row - 1]?.url ?? '');
    texts.push(range.left === 0 ? [site, ...cells] : cells);
  }
  return texts;
}

/**
 * Pastes a block at a selection. One row on "Same for all" is pasted to every site.
 * @returns the rows, and what was not pasted
 */
export function pasteBlock(
  rows: readonly CartRow[],
  sites: readonly PasteSite[],
  block: readonly (readonly string[])[],
  range: CellRange,
): { rows: readonly CartRow[]; plan: PastePlan } {
  const isForAll = range.top === 0;
  const top = Math.max(range.top, 1) - 1;
  const bottom = isForAll ? (block.length === 1 ? rows.length - 1 : 0) : range.bottom - 1;
  const left = Math.max(range.left, 1) - 1;
  const plan = planPaste(block, sites, { top, bottom, left, right: Math.max(range.right - 1, left) });
  return { rows: setTexts(rows, plan.edits), plan };
}

/** Describes what a paste did: the cells, and what was left out. */
export function describePaste({ edits, unknownSites, unknownColumns, rowsLeft, columnsLeft }: PastePlan): {
  text: string;
  isPartial: boolean;
} {
  const left = [
    unknownSites.length > 0 && `Not in this cart: ${listSome(unknownSites)}.`,
    unknownColumns.length > 0 && `No such column: ${listSome(unknownColumns)}.`,
    rowsLeft > 0 && `${countOf(rowsLeft, 'row')} didn’t fit below the cell.`,
    columnsLeft > 0 && `${countOf(columnsLeft, 'column')} didn’t fit right of the cell.`,
  ].filter((text) => text !== false);
  const sites = new Set(edits.map(({ siteId }) => siteId)).size;
  const done =
    edits.length === 0
      ? 'Nothing was pasted.'
      : `Pasted ${countOf(edits.length, 'cell')} for ${countOf(sites, 'site')}.`;
  return { text: [done, ...left].join(' '), isPartial: left.length > 0 || edits.length === 0 };
}

const maxListed = 5;

const listSome = (names: readonly string[]) =>
  names.length > maxListed
    ? `${names.slice(0, maxListed).join(', ')} and ${names.length - maxListed} more`
    : names.join(', ');
