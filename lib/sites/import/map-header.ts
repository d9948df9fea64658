import type { Currency } from '../../money';
import { headerNames, type ImportField, staffFields } from './header-names';
import { currencyOf } from './read-price';

export type ImportColumn = {
  index: number;
  /** As the file spells it. */
  header: string;
  /** What the header says the amounts are in: "Price (EUR)". */
  currency: Currency | null;
};
export type HeaderMap = {
  columns: Partial<Record<ImportField, ImportColumn>>;
  /** Headers that no field takes, in the order of the file. */
  unknownHeaders: string[];
};
/** Whose file it is: staff also set prices and status. */
export type ImportAudience = 'staff' | 'seller';

type NamesOf = [field: ImportField, names: readonly string[]];

const isField = (name: string): name is ImportField => name in headerNames;
const fields = Object.entries(headerNames).flatMap<NamesOf>(([field, names]) =>
  isField(field) ? [[field, names]] : [],
);

/**
 * Finds the field of every column. A field takes the column with its strongest name, a column serves one field, and the
 * URL chooses first: "Website" is the URL of a file without any other, and the name beside a "Site URL".
 * @returns null when no column holds the URL: such a row is no header
 */
export function mapHeader(cells: readonly string[], audience: ImportAudience): HeaderMap | null {
  if (cells.length > maxColumns) return null;
  const names = cells.map(headerKey);
  const columns: HeaderMap['columns'] = {};
  const taken = new Set<number>();
  for (const [field, known] of fields) {
    if (audience === 'seller' && staffFields.includes(field)) continue;
    const index = known
      .map((name) => names.findIndex((key, at) => key === name && !taken.has(at)))
      .find((at) => at >= 0);
    if (index === undefined) {
      if (field === 'url') return null;
      continue;
    }
    taken.add(index);
    const header = (cells[index] ?? '').trim().slice(0, maxHeaderLength);
    columns[field] = { index, header, currency: currencyOf(header) };
  }
  const unknownHeaders = cells
    .map((cell) => cell.trim().slice(0, maxHeaderLength))
    .filter((header, at) => header !== '' && !taken.has(at));
  return { columns, unknownHeaders };
}

/** A header is short; what is longer is prose that fell into a first row, and not worth the work. */
const maxHeaderLength = 100;
const maxColumns = 500;

/** Letters and digits in lower case, without accents, brackets and a currency at the end. */
function headerKey(header: string): string {
  return header
    .slice(0, maxHeaderLength)
    .normalize('NFKD')
    .replace(/[([{].*?[)\]}]/gs, ' ')
    .replace(/[\s/_-]+(?:in\s+)?(?:usd|eur|gbp|aud|cad|inr)\s*$/i, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
