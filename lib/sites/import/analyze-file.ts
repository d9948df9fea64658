import { AppError } from '@/lib/errors';
import {
  type Delimiter,
  detectEncoding,
  parseFirstRecords,
  parseRecords,
  readSample,
  readText,
  type TextEncoding,
} from '@/lib/platform/parse-csv';
import { detectDecimalMark, type NumberStyle, stripCurrency } from '@/lib/platform/parse-number';
import {
  type ColumnChoices,
  type FileKind,
  type HeaderMap,
  type ImportField,
  mapColumns,
  mapHeader,
  maxColumns,
  noChoices,
} from './map-header';

export type FileAnalysis = HeaderMap & {
  encoding: TextEncoding;
  delimiter: Delimiter;
  headerRow: number;
  /** The header cells. */
  headers: string[];
  /** The first non-empty cell below each header. */
  samples: string[];
  /** The number of non-empty rows below the header. */
  rows: number;
  style: NumberStyle;
};

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|'];
/** The header is searched in the first rows, because a title or Excel's "sep=;" may precede it. */
const maxHeaderRow = 10;
const sampleLength = 64 * 1024;
/** Longer cells are not parsed as numbers. */
const maxNumberLength = 100;
/** The maximum number of rows in one transaction; about 50 MB of typical rows. */
const maxRows = 500_000;

const numberFields: readonly ImportField[] = [
  ...(['dr', 'da', 'authorityScore', 'spam', 'traffic', 'keywordsCount', 'refDomains', 'words'] as const),
  ...(['sellerPrice', 'adminPrice', 'publicPrice'] as const),
];

/** The number of rows searched for a sample of each column. */
const sampleRows = 20;

/**
 * Reads a file once and determines its encoding, delimiter, header and number style. Also validates the whole file, so
 * that nothing of an unreadable file is written.
 * @param choices the user's choice of columns, which takes precedence over the header names
 * @param allowMissingUrl also accepts a file whose header names no URL, so that the user can choose the column
 * @throws AppError invalid_input for a file that is not text, has no usable header or no rows, or has an unclosed quote;
 * too_large for too many rows
 */
export async function analyzeFile(
  path: string,
  kind: FileKind,
  { choices = noChoices, allowMissingUrl = false }: { choices?: ColumnChoices; allowMissingUrl?: boolean } = {},
): Promise<FileAnalysis> {
  const encoding = await detectEncoding(path);
  const sample = await readSample(path, encoding, sampleLength);
  const place = locateHeader(sample, kind, allowMissingUrl || choices.size > 0);
  const header = { ...place, ...mapColumns(place.headers, kind, choices) };
  if (!header.columns.url && !header.columns.id && !allowMissingUrl) throw noHeaderError(kind);
  const numberColumns = numberFields.flatMap((field) => header.columns[field]?.index ?? []);
  const marks = new Set<string>();
  let rows = 0;
  for await (const records of parseRecords(readText(path, encoding), header.delimiter)) {
    for (const { row, cells } of records) {
      if (row <= header.headerRow || isBlank(cells)) continue;
      rows += 1;
      for (const index of numberColumns) {
        const cell = cells[index] ?? '';
        const mark = cell.length > maxNumberLength ? null : detectDecimalMark(stripCurrency(cell));
        if (mark) marks.add(mark);
      }
    }
    if (rows > maxRows) {
      throw new AppError(
        'too_large',
        `The file has more than ${maxRows.toLocaleString('en-US')} rows. Split it into smaller files.`,
      );
    }
  }
  if (rows === 0) throw invalidFileError('The file has a header but no rows.');
  return { ...header, encoding, rows, style: getNumberStyle(marks) };
}

type HeaderLocation = Pick<FileAnalysis, 'delimiter' | 'headerRow' | 'headers' | 'samples'>;

/**
 * Finds the delimiter and header row that match the most fields.
 * @param allowAnyHeader if no header names a URL, takes the first non-blank row, split by the delimiter with most cells
 */
function locateHeader(sample: { text: string; isWhole: boolean }, kind: FileKind, allowAnyHeader: boolean) {
  if (sample.text.trim() === '') throw invalidFileError('The file is empty.');
  let best: { place: HeaderLocation; known: number } | null = null;
  let widest: HeaderLocation | null = null;
  for (const delimiter of delimiters) {
    const records = parseFirstRecords(sample.text, delimiter, sample.isWhole);
    const placeAt = (at: number): HeaderLocation => ({
      delimiter,
      headerRow: at + 1,
      headers: records[at] ?? [],
      samples: collectSamples(records, at),
    });
    for (const [at, cells] of records.slice(0, maxHeaderRow).entries()) {
      const mapped = mapHeader(cells, kind);
      const known = mapped ? Object.keys(mapped.columns).length : 0;
      if (known > (best?.known ?? 0)) best = { place: placeAt(at), known };
    }
    const first = records.findIndex((cells) => !isBlank(cells));
    const width = records[first]?.length ?? 0;
    if (width > (widest?.headers.length ?? 0) && width <= maxColumns) widest = placeAt(first);
  }
  const place = best?.place ?? (allowAnyHeader ? widest : null);
  if (!place) throw noHeaderError(kind);
  return place;
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

function collectSamples(records: string[][], headerAt: number): string[] {
  const below = records.slice(headerAt + 1, headerAt + 1 + sampleRows);
  return (records[headerAt] ?? []).map((_, index) => {
    const cell = below.map((cells) => (cells[index] ?? '').trim()).find((text) => text !== '');
    return (cell ?? '').replace(/\s+/g, ' ').slice(0, maxNumberLength);
  });
}

function noHeaderError(kind: FileKind): AppError {
  const column = kind === 'edits' ? 'a column "ID" or one for the URL' : 'a column for the URL, e.g. "Site URL"';
  return invalidFileError(`The file has no usable header: none of its first rows contains ${column}.`);
}

function getNumberStyle(marks: Set<string>): NumberStyle {
  if (marks.size === 2) return 'mixed';
  return marks.has('.') ? 'point' : marks.has(',') ? 'comma' : 'unknown';
}

function invalidFileError(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { file: message } });
}
