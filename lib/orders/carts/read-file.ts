import type { Readable } from 'node:stream';
import { AppError } from '@/lib/errors';
import { briefColumnNames, foldName, siteColumnNames } from '@/lib/orders/briefs/parse-cells';
import { type Delimiter, detectEncoding, parseFirstRecords, parseRecords, readText } from '@/lib/platform/parse-csv';
import { spool } from '@/lib/platform/storage/spool';
import { createColumnChoices, maxColumns } from '@/lib/sites/import/map-header';

/** The maximum size of a file, and of the rows in it. A cart holds far fewer sites. */
export const maxCartFileBytes = 2_000_000;
const maxRows = 1_000;

/** The names of the columns, in the form of `foldName`; the site comes first, as "URL" can be either. */
const columnNames = {
  site: siteColumnNames,
  ...briefColumnNames,
  maxPrice: ['maxprice', 'pricelimit', 'budget', 'maximumprice', 'maxbudget'],
} as const satisfies Record<string, readonly string[]>;

export type CartFileField = keyof typeof columnNames;

const labels: Record<CartFileField, string> = {
  site: 'Site',
  targetUrl: 'Target URL',
  anchor: 'Anchor',
  rel: 'Link attribute',
  words: 'Words',
  notBefore: 'Publish from',
  article: 'Article',
  notes: 'Notes',
  maxPrice: 'Max price',
};

export const cartFileFields = Object.entries(labels).map(([field, label]) => ({ field, label }));

const isField = (name: string): name is CartFileField => Object.hasOwn(columnNames, name);

/** Parses column choices from a URL: `columns=3:anchor,7:none`. */
export const cartColumnChoices = createColumnChoices(isField);

/** A row of a file: its number, from 1 for the first row of data, its cells, and the cells that have a column. */
export type CartFileRow = {
  row: number;
  cells: readonly string[];
  values: Partial<Record<CartFileField, string>>;
  /** The row has a quote that is not escaped, so the borders of its cells are uncertain. */
  isMalformed: boolean;
};

export type CartFile = {
  headers: string[];
  /** The field of each column; null for an unused one. */
  fields: (CartFileField | null)[];
  /** The first cell below each header. */
  samples: string[];
  rows: CartFileRow[];
};

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|'];
/** The part of a file in which its first row is searched. */
const maxHeaderText = 64 * 1024;

/**
 * Reads a CSV file of sites with briefs, in any of the encodings and with any of the separators of the site import. The
 * first row that is not blank has the names of the columns.
 * @param choices the user's choice of columns, which takes precedence over their names
 * @throws AppError invalid_input for a file that is no table, or has no rows; too_large
 */
export async function readCartFile(
  file: Readable,
  choices: ReadonlyMap<number, CartFileField | null>,
): Promise<CartFile> {
  return spool(file, maxCartFileBytes, async ({ path }) => {
    const encoding = await detectEncoding(path);
    let text = '';
    for await (const piece of readText(path, encoding)) text += piece;
    const headers = delimiters.map((delimiter) => readHeader(text, delimiter, choices));
    // The separator by which the most columns are known; the widest header if no name is.
    const [best] = headers.sort((one, other) => other.known - one.known || other.names.length - one.names.length);
    if (!best || best.names.length === 0) throw invalidFile('The file is empty.');
    if ([...choices.keys()].some((index) => index >= best.names.length))
      throw invalidFile('The chosen columns do not match this file. Check it again.');
    const { names, fields, line, delimiter } = best;
    const rows: CartFileRow[] = [];
    for await (const records of parseRecords(readText(path, encoding), delimiter)) {
      for (const { row, cells, isMalformed } of records) {
        if (row <= line || isBlank(cells)) continue;
        const values: CartFileRow['values'] = {};
        for (const [index, field] of fields.entries()) if (field) values[field] = (cells[index] ?? '').trim();
        rows.push({ row: row - line, cells, values, isMalformed });
      }
      if (rows.length > maxRows)
        throw new AppError('too_large', `The file has more than ${maxRows.toLocaleString('en-US')} rows. Split it.`);
    }
    if (rows.length === 0) throw invalidFile('The file has no rows below the names of its columns.');
    const samples = names.map((_, index) => (rows[0]?.cells[index] ?? '').trim().replace(/\s+/g, ' ').slice(0, 100));
    return { headers: names, fields, samples, rows };
  });
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

/** Reads the first row that is not blank, as the names of columns. */
function readHeader(text: string, delimiter: Delimiter, choices: ReadonlyMap<number, CartFileField | null>) {
  const records = parseFirstRecords(text.slice(0, maxHeaderText), delimiter, text.length <= maxHeaderText);
  const at = records.findIndex((cells) => !isBlank(cells));
  const names = (records[at] ?? []).slice(0, maxColumns).map((cell) => cell.trim().slice(0, 100));
  const fields = mapColumns(names, choices);
  return { names, fields, delimiter, line: at + 1, known: fields.filter((field) => field !== null).length };
}

function mapColumns(
  headers: readonly string[],
  choices: ReadonlyMap<number, CartFileField | null>,
): (CartFileField | null)[] {
  const fields = headers.map((_, index) => choices.get(index) ?? null);
  const names = headers.map(foldName);
  for (const field of Object.keys(columnNames).filter(isField)) {
    if (fields.includes(field)) continue;
    const index = columnNames[field]
      .map((name: string) => names.findIndex((one, at) => one === name && fields[at] === null && !choices.has(at)))
      .find((at) => at >= 0);
    if (index !== undefined) fields[index] = field;
  }
  return fields;
}

function invalidFile(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { file: message } });
}
