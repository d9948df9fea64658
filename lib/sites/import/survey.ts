import { AppError } from '../../errors';
import type { ImportField } from './header-names';
import {
  type ColumnChoices,
  type HeaderMap,
  type ImportAudience,
  mapColumns,
  mapHeader,
  maxColumns,
  noChoices,
} from './map-header';
import { decimalMarkOf, type NumberStyle, withoutCurrency } from './read-number';
import {
  type Delimiter,
  detectEncoding,
  readFirstRecords,
  readRecords,
  readText,
  type TextEncoding,
} from './text-encoding';

export type Survey = HeaderMap & {
  encoding: TextEncoding;
  delimiter: Delimiter;
  headerRow: number;
  /** The header's cells. */
  headers: string[];
  /** The first cell with something in it below each header. */
  samples: string[];
  /** Rows below the header with something in them. */
  rows: number;
  style: NumberStyle;
};

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|'];
/** A title or Excel's "sep=;" may stand above the header. */
const maxHeaderRow = 10;
const sampleLength = 64 * 1024;
/** A longer cell holds no number, whatever its column. */
const maxNumberLength = 100;
/** Rows of one file: about as many as 50 MB of usual rows hold, and what one transaction should carry. */
const maxRows = 500_000;

const numberFields: readonly ImportField[] = [
  ...(['dr', 'da', 'authorityScore', 'spam', 'traffic', 'keywordsCount', 'refDomains', 'words'] as const),
  ...(['sellerPrice', 'adminPrice', 'publicPrice'] as const),
];

/** Rows that are looked through for a sample of each column. */
const sampleRows = 20;

/**
 * Reads a file once without keeping it: its encoding, delimiter, header and number style, and whether all of it is
 * readable, so that nothing is written of a file that is not.
 * @param choices what a person said the columns are; it counts before the names in the header
 * @param mayLackUrl a file whose header names no URL is surveyed too, so that somebody can say which column it is
 * @throws AppError invalid_input for no text, no usable header, no rows, an unclosed quote; too_large for too many rows
 */
export async function surveyFile(
  path: string,
  audience: ImportAudience,
  { choices = noChoices, mayLackUrl = false }: { choices?: ColumnChoices; mayLackUrl?: boolean } = {},
): Promise<Survey> {
  const encoding = await detectEncoding(path);
  const sample = await readSample(path, encoding);
  const place = placeOfHeader(sample, audience, mayLackUrl || choices.size > 0);
  const header = { ...place, ...mapColumns(place.headers, audience, choices) };
  if (!header.columns.url && !mayLackUrl) throw noHeader();
  const numberColumns = numberFields.flatMap((field) => header.columns[field]?.index ?? []);
  const marks = new Set<string>();
  let rows = 0;
  for await (const records of readRecords(readText(path, encoding), header.delimiter)) {
    for (const { row, cells } of records) {
      if (row <= header.headerRow || isBlank(cells)) continue;
      rows += 1;
      for (const index of numberColumns) {
        const cell = cells[index] ?? '';
        const mark = cell.length > maxNumberLength ? null : decimalMarkOf(withoutCurrency(cell));
        if (mark) marks.add(mark);
      }
    }
    if (rows > maxRows) {
      throw new AppError('too_large', `The file has more than ${maxRows.toLocaleString('en-US')} rows. Split it.`);
    }
  }
  if (rows === 0) throw refused('The file has a header but no rows.');
  return { ...header, encoding, rows, style: styleOf(marks) };
}

async function readSample(path: string, encoding: TextEncoding): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  for await (const piece of readText(path, encoding)) {
    text += piece;
    if (text.length > sampleLength) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}

type HeaderPlace = Pick<Survey, 'delimiter' | 'headerRow' | 'headers' | 'samples'>;

/**
 * The delimiter and the row that together name the most fields.
 * @param anyHeader where none names a URL, the first row that is not blank, cut where it has the most cells
 */
function placeOfHeader(sample: { text: string; isWhole: boolean }, audience: ImportAudience, anyHeader: boolean) {
  if (sample.text.trim() === '') throw refused('The file is empty.');
  let best: { place: HeaderPlace; known: number } | null = null;
  let widest: HeaderPlace | null = null;
  for (const delimiter of delimiters) {
    const records = readFirstRecords(sample.text, delimiter, sample.isWhole);
    const placeAt = (at: number): HeaderPlace => ({
      delimiter,
      headerRow: at + 1,
      headers: records[at] ?? [],
      samples: samplesOf(records, at),
    });
    for (const [at, cells] of records.slice(0, maxHeaderRow).entries()) {
      const mapped = mapHeader(cells, audience);
      const known = mapped ? Object.keys(mapped.columns).length : 0;
      if (known > (best?.known ?? 0)) best = { place: placeAt(at), known };
    }
    const first = records.findIndex((cells) => !isBlank(cells));
    const width = records[first]?.length ?? 0;
    if (width > (widest?.headers.length ?? 0) && width <= maxColumns) widest = placeAt(first);
  }
  const place = best?.place ?? (anyHeader ? widest : null);
  if (!place) throw noHeader();
  return place;
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

function samplesOf(records: string[][], headerAt: number): string[] {
  const below = records.slice(headerAt + 1, headerAt + 1 + sampleRows);
  return (records[headerAt] ?? []).map((_, index) => {
    const cell = below.map((cells) => (cells[index] ?? '').trim()).find((text) => text !== '');
    return (cell ?? '').replace(/\s+/g, ' ').slice(0, maxNumberLength);
  });
}

function noHeader(): AppError {
  return refused('The file has no usable header: none of its first rows names a column for the URL, e.g. "Site URL".');
}

function styleOf(marks: Set<string>): NumberStyle {
  if (marks.size === 2) return 'mixed';
  return marks.has('.') ? 'point' : marks.has(',') ? 'comma' : 'unknown';
}

function refused(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { file: message } });
}
