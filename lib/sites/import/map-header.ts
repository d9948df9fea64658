import { z } from 'zod';
import { AppError } from '../../errors';
import type { Currency } from '../../money';
import { headerNames, type ImportField, staffFields } from './header-names';
import { currencyOf } from './read-number';

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
const urlNames: ReadonlySet<string> = new Set(headerNames.url);
/** What our own list of rejected rows adds: nothing to wonder about when it comes back mended. */
const reportNames: ReadonlySet<string> = new Set(['importrow', 'importcolumn', 'importreason']);

/**
 * Finds the field of every column. A field takes the column with its strongest name, a column serves one field, and the
 * URL chooses first: "Website" is the URL of a file without any other, and the name beside a "Site URL".
 * @returns null when no column holds the URL: such a row is no header
 */
export function mapHeader(cells: readonly string[], audience: ImportAudience): HeaderMap | null {
  // Looked at first, because every row of a file without a header comes by here.
  const hasUrl = cells.length <= maxColumns && cells.some((cell) => urlNames.has(headerKey(cell)));
  return hasUrl ? mapColumns(cells, audience) : null;
}

/**
 * As mapHeader, also for a header without a URL, and with what a person chose before all names.
 * @throws AppError invalid_input for a choice that this file or audience does not have
 */
export function mapColumns(
  cells: readonly string[],
  audience: ImportAudience,
  choices: ColumnChoices = noChoices,
): HeaderMap {
  const names = cells.map(headerKey);
  const columns: HeaderMap['columns'] = {};
  const taken = new Set<number>();
  const take = (field: ImportField, index: number) => {
    const header = headerText(cells[index] ?? '');
    columns[field] = { index, header, currency: currencyOf(header) };
    taken.add(index);
  };
  for (const [index, field] of choices) {
    if (index >= cells.length || (field && isClosed(field, audience))) throw noSuchColumn();
    if (field) take(field, index);
  }
  for (const [field, known] of fields) {
    if (columns[field] || isClosed(field, audience)) continue;
    const index = known
      .map((name) => names.findIndex((key, at) => key === name && !taken.has(at) && !choices.has(at)))
      .find((at) => at >= 0);
    if (index !== undefined) take(field, index);
  }
  const unknownHeaders = cells
    .map(headerText)
    .filter((header, at) => header !== '' && !taken.has(at) && !reportNames.has(names[at] ?? ''));
  return { columns, unknownHeaders };
}

const isClosed = (field: ImportField, audience: ImportAudience) => audience === 'seller' && staffFields.includes(field);

const headerText = (cell: string) => cell.trim().slice(0, maxHeaderLength);

function noSuchColumn(): AppError {
  const message = 'The chosen columns do not fit this file. Check it again.';
  return new AppError('invalid_input', message, { fields: { columns: message } });
}

/** A header is short; what is longer is prose that fell into a first row, and not worth the work. */
const maxHeaderLength = 100;
export const maxColumns = 500;

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

/** What a person said a column is, by its place in the file from 0 on; null: it is not used. */
export type ColumnChoices = ReadonlyMap<number, ImportField | null>;

export const noChoices: ColumnChoices = new Map();

const isImportField = (name: string): name is ImportField => Object.hasOwn(headerNames, name);

/** As an address carries them: `columns=3:dr,7:none`. A column has one field, and a field one column. */
export const columnChoices = z
  .string()
  .max(10_000)
  .transform((text, context): ColumnChoices => {
    const choices = new Map<number, ImportField | null>();
    const fields = new Set<string>();
    for (const part of text === '' ? [] : text.split(',')) {
      const [, place = '', field = ''] = /^(\d{1,3}):(\w+)$/.exec(part) ?? [];
      const isKnown = field === 'none' || isImportField(field);
      if (place === '' || !isKnown || choices.has(Number(place)) || (field !== 'none' && fields.has(field))) {
        context.addIssue({ code: 'custom', message: 'Name each column and each field once, e.g. 3:dr,7:none.' });
        return z.NEVER;
      }
      choices.set(Number(place), isImportField(field) ? field : null);
      fields.add(field);
    }
    return choices;
  });
