import { siteHost } from '@/components/sites/site-text';
import { type BriefColumnKey, briefColumnNames, foldName, siteColumnNames } from '@/lib/orders/briefs/parse-cells';
import { type BriefColumn, briefColumns } from './brief-columns';

export type PasteSite = { siteId: number; name: string; url: string };

/** A rectangle of cells: rows are sites, columns those of `briefColumns`; both ends are included. */
export type CellRange = { top: number; bottom: number; left: number; right: number };

export type PasteEdit = { siteId: number; column: BriefColumnKey; text: string };

export type PastePlan = {
  edits: readonly PasteEdit[];
  /** The addresses of the block that are not in the cart. */
  unknownSites: readonly string[];
  /** The names of columns that the table does not have. */
  unknownColumns: readonly string[];
  /** The number of rows and columns beyond the end of the table, which are not pasted. */
  rowsLeft: number;
  columnsLeft: number;
};

/**
 * Plans where the cells of a pasted block go. A first row of column names assigns the columns; otherwise they follow
 * the active cell. A column of sites of this cart assigns the rows; otherwise they follow the active cell. A block
 * repeats where it fits the selection several times.
 * @param sites the rows of the table
 * @param range the selection, whose upper left cell is the first one to fill
 */
export function planPaste(
  block: readonly (readonly string[])[],
  sites: readonly PasteSite[],
  range: CellRange,
): PastePlan {
  const names = findColumnNames(block);
  const rows = names ? block.slice(1) : block;
  const width = Math.max(0, ...block.map((row) => row.length));
  const siteColumn = names ? names.indexOf('site') : width > 1 && hasSites(rows, sites) ? 0 : -1;
  const others = Array.from({ length: width }, (_, index) => index).filter((index) => index !== siteColumn);
  const isTiled = !names && siteColumn < 0;
  const columns = names ? others.map((index) => names[index]) : placeColumns(others.length, range, isTiled);
  const targets = siteColumn < 0 ? placeRows(rows.length, sites, range, isTiled) : null;

  const edits: PasteEdit[] = [];
  const unknownSites: string[] = [];
  const put = (siteId: number, row: readonly string[]) => {
    columns.forEach((column, position) => {
      const text = row[others[position % Math.max(1, others.length)] ?? -1];
      if (column && column !== 'site' && text !== undefined) edits.push({ siteId, column, text });
    });
  };
  if (targets) {
    targets.forEach((site, position) => {
      const row = rows[position % rows.length];
      if (row) put(site.siteId, row);
    });
  } else {
    for (const row of rows) {
      const address = row[siteColumn] ?? '';
      const site = findSite(address, sites);
      if (site) put(site.siteId, row);
      else if (address.trim() !== '') unknownSites.push(address.trim());
    }
  }
  return {
    edits,
    unknownSites,
    unknownColumns: names ? (block[0] ?? []).filter((name, index) => name.trim() !== '' && names[index] === null) : [],
    rowsLeft: targets ? Math.max(0, rows.length - targets.length) : 0,
    columnsLeft: names ? 0 : Math.max(0, others.length - columns.length),
  };
}

type ColumnName = BriefColumnKey | 'site' | null;

/**
 * Reads the names of the first row; null where it has values. At least half of its texts must be names. Alone, "link"
 * or "content" may as well be an anchor text.
 */
function findColumnNames(block: readonly (readonly string[])[]): ColumnName[] | null {
  const [first] = block;
  if (!first || block.length < 2) return null;
  const names = first.map((text): ColumnName => {
    const name = foldName(text);
    if (siteColumnNames.includes(name)) return 'site';
    const namesOf = ({ key }: BriefColumn) => briefColumnNames[key].slice(0, first.length > 1 ? undefined : 2);
    return briefColumns.find((column) => namesOf(column).includes(name))?.key ?? null;
  });
  const known = names.filter((name) => name !== null).length;
  return known > 0 && known * 2 >= first.filter((text) => text.trim() !== '').length ? names : null;
}

/** Checks whether the first column names sites of the cart, in at least half of its cells. */
function hasSites(rows: readonly (readonly string[])[], sites: readonly PasteSite[]): boolean {
  const texts = rows.flatMap(([text = '']) => (text.trim() === '' ? [] : [text]));
  const known = texts.filter((text) => findSite(text, sites));
  return known.length > 0 && known.length * 2 >= texts.length;
}

/** Finds a site by its domain, an address on it, or the id of its listing. */
export function findSite(text: string, sites: readonly PasteSite[]): PasteSite | undefined {
  const typed = text.trim();
  const id = /^#?(\d{1,10})$/.exec(typed)?.[1];
  if (id) return sites.find(({ siteId }) => siteId === Number(id));
  const domain = domainOf(typed);
  return domain.includes('.') ? sites.find(({ url }) => domainOf(url) === domain) : undefined;
}

const domainOf = (address: string) =>
  (siteHost(address.toLowerCase().replace(/^www\./, '')).split(/[/?#:]/)[0] ?? '').replace(/\.$/, '');

function placeColumns(count: number, { left, right }: CellRange, isTiled: boolean): BriefColumnKey[] {
  const selected = right - left + 1;
  const places = isTiled && count > 0 && selected % count === 0 ? Math.max(selected, count) : count;
  return briefColumns.slice(left, left + places).map(({ key }) => key);
}

function placeRows(
  count: number,
  sites: readonly PasteSite[],
  { top, bottom }: CellRange,
  isTiled: boolean,
): readonly PasteSite[] {
  const selected = bottom - top + 1;
  const places = isTiled && count > 0 && selected % count === 0 ? Math.max(selected, count) : count;
  return sites.slice(top, top + places);
}
