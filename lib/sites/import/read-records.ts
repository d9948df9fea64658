import Papa, { type ParseResult } from 'papaparse';
import { AppError } from '../../errors';

export type CsvRecord = {
  /** As a spreadsheet counts: the first line is row 1. */
  row: number;
  cells: string[];
  /** A quote inside a quoted cell that is neither doubled nor at its end: where the cells end is a guess. */
  isMalformed: boolean;
};
export type Delimiter = ',' | ';' | '\t' | '|';

/** The longest a row may be, in characters: one quote too many must not gather the whole file in memory. */
const maxRowLength = 64 * 1024;
/** Beyond these the file was not written as CSV at all, and working through it costs more than it gives. */
const maxStrayQuotes = 10_000;

/**
 * Cuts text into rows and cells, a piece at a time, whatever lies on the border of two pieces.
 * @param text pieces in which every line end is one line feed
 * @returns the rows of each piece; blank ones too, so that the count is the spreadsheet's
 * @throws AppError invalid_input for a quote that is never closed, a row without end, and stray quotes throughout
 */
export async function* readRecords(text: AsyncIterable<string>, delimiter: Delimiter): AsyncGenerator<CsvRecord[]> {
  let row = 0;
  let held = '';
  let strayQuotes = 0;
  const cut = (input: string, isLast: boolean): CsvRecord[] => {
    const { data, errors, meta } = parse(input, delimiter, !isLast);
    held = input.slice(meta.cursor);
    const unclosed = errors.find(({ code }) => code === 'MissingQuotes');
    if (unclosed)
      throw unreadable(`Row ${row + 1 + (unclosed.row ?? data.length)} opens a quote (") that is never closed.`);
    if (held.length > maxRowLength) {
      throw unreadable(
        `Row ${row + 1 + data.length} does not end: a quote (") in it is never closed, or it is far too long.`,
      );
    }
    strayQuotes += errors.length;
    if (strayQuotes > maxStrayQuotes)
      throw unreadable('Quotes (") inside its cells are not doubled, in too many places.');
    // An error behind the last whole row belongs to one that is read again with the next piece.
    const malformed = new Set(errors.map((error) => error.row));
    return data.map((cells, at) => ({ row: ++row, cells, isMalformed: malformed.has(at) }));
  };
  for await (const piece of text) {
    const records = cut(held + piece, false);
    if (records.length > 0) yield records;
  }
  if (held !== '') yield cut(held, true);
}

/** The rows at the beginning of a text that may be cut off anywhere. */
export function readFirstRecords(text: string, delimiter: Delimiter, isWhole: boolean): string[][] {
  return parse(text, delimiter, !isWhole).data;
}

function parse(input: string, delimiter: Delimiter, ignoreLastRow: boolean): ParseResult<string[]> {
  return new Papa.Parser({ delimiter, newline: '\n', quoteChar: '"' }).parse(input, 0, ignoreLastRow);
}

function unreadable(reason: string): AppError {
  const message = `The file cannot be read as CSV. ${reason}`;
  return new AppError('invalid_input', message, { fields: { file: message } });
}
