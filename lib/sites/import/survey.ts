import { AppError } from '../../errors';
import type { ImportField } from './header-names';
import { type HeaderMap, type ImportAudience, mapHeader } from './map-header';
import { decimalMarkOf, type NumberStyle } from './read-number';
import { withoutCurrency } from './read-price';
import { type Delimiter, readFirstRecords, readRecords } from './read-records';
import { detectEncoding, readText, type TextEncoding } from './text-encoding';

export type Survey = HeaderMap & {
  encoding: TextEncoding;
  delimiter: Delimiter;
  headerRow: number;
  /** How many cells the header has. */
  width: number;
  style: NumberStyle;
};

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|'];
/** A title or Excel's "sep=;" may stand above the header. */
const maxHeaderRow = 10;
const sampleLength = 64 * 1024;
/** A longer cell holds no number, whatever its column. */
const maxNumberLength = 100;
/** Rows of one file: about as many as 50 MB of usual rows hold, and what one transaction should carry. */
export const maxRows = 500_000;

const numberFields: readonly ImportField[] = [
  ...(['dr', 'da', 'authorityScore', 'spam', 'traffic', 'keywordsCount', 'refDomains', 'words'] as const),
  ...(['sellerPrice', 'adminPrice', 'publicPrice'] as const),
];

/**
 * Reads a file once without keeping it: its encoding, delimiter, header and number style, and whether all of it is
 * readable, so that nothing is written of a file that is not.
 * @throws AppError invalid_input for no text, no usable header, no rows, an unclosed quote; too_large for too many rows
 */
export async function surveyFile(path: string, audience: ImportAudience): Promise<Survey> {
  const encoding = await detectEncoding(path);
  const header = findHeader(await readSample(path, encoding), audience);
  const numberColumns = numberFields.flatMap((field) => header.columns[field]?.index ?? []);
  const marks = new Set<string>();
  let rows = 0;
  for await (const records of readRecords(readText(path, encoding), header.delimiter)) {
    for (const { row, cells } of records) {
      if (row <= header.headerRow || cells.every((cell) => cell.trim() === '')) continue;
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
  return { ...header, encoding, style: styleOf(marks) };
}

async function readSample(path: string, encoding: TextEncoding): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  for await (const piece of readText(path, encoding)) {
    text += piece;
    if (text.length > sampleLength) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}

/** The delimiter and the row that together name the most fields. */
function findHeader(sample: { text: string; isWhole: boolean }, audience: ImportAudience) {
  if (sample.text.trim() === '') throw refused('The file is empty.');
  const candidates = delimiters.flatMap((delimiter) =>
    readFirstRecords(sample.text, delimiter, sample.isWhole)
      .slice(0, maxHeaderRow)
      .flatMap((cells, at) => {
        const mapped = mapHeader(cells, audience);
        const known = mapped ? Object.keys(mapped.columns).length : 0;
        return mapped ? [{ ...mapped, delimiter, headerRow: at + 1, width: cells.length, known }] : [];
      }),
  );
  const [first, ...others] = candidates;
  if (!first) {
    throw refused('The file has no usable header: none of its first rows names a column for the URL, e.g. "Site URL".');
  }
  return others.reduce((best, next) => (next.known > best.known ? next : best), first);
}

function styleOf(marks: Set<string>): NumberStyle {
  if (marks.size === 2) return 'mixed';
  return marks.has('.') ? 'point' : marks.has(',') ? 'comma' : 'unknown';
}

function refused(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { file: message } });
}
