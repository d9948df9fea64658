import { createReadStream } from 'node:fs';
import Papa, { type ParseResult } from 'papaparse';
import { AppError } from '../../errors';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Small, because the rows of one piece are worked through without a pause. */
const chunkBytes = 16 * 1024;

/**
 * How the bytes of a text file are to be read: by its byte order mark, else UTF-8 when all of it is valid UTF-8, else
 * windows-1252, as older spreadsheets write.
 * @throws AppError invalid_input for a ZIP archive or anything else that is no text
 */
export async function detectEncoding(path: string): Promise<TextEncoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let isFirst = true;
  for await (const chunk of readChunks(path)) {
    if (isFirst) {
      isFirst = false;
      if (startsWith(chunk, [0xff, 0xfe])) return 'utf-16le';
      if (startsWith(chunk, [0xfe, 0xff])) return 'utf-16be';
      if (startsWith(chunk, [0x50, 0x4b, 0x03, 0x04]) || startsWith(chunk, [0x50, 0x4b, 0x05, 0x06])) {
        throw notText('This is a ZIP archive or an Excel workbook, not a CSV file. Save it as CSV and upload that.');
      }
    }
    if (chunk.includes(0)) throw notText('This is not a CSV file: it holds no text. Save the table as CSV.');
    isUtf8 &&= decodes(utf8, chunk);
  }
  return isUtf8 && decodes(utf8) ? 'utf-8' : 'windows-1252';
}

/** The text of a file in pieces, without its byte order mark and with every line end as a single line feed. */
export async function* readText(path: string, encoding: TextEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let held = '';
  for await (const chunk of readChunks(path)) {
    const text = held + decoder.decode(chunk, { stream: true });
    // Its line feed may be the first character of the next piece.
    held = text.endsWith('\r') ? '\r' : '';
    yield unixLines(held ? text.slice(0, -1) : text);
  }
  yield unixLines(held + decoder.decode());
}

const unixLines = (text: string) => text.replace(/\r\n?/g, '\n');

async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: chunkBytes });
  yield* stream;
}

const startsWith = (chunk: Buffer, mark: number[]) => mark.every((byte, at) => chunk[at] === byte);

function decodes(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch (thrown) {
    // What a fatal decoder throws at a byte that is no UTF-8.
    if (thrown instanceof TypeError) return false;
    throw thrown;
  }
}

function notText(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { file: message } });
}

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
