import { createReadStream } from 'node:fs';
import Papa, { type ParseResult } from 'papaparse';
import { AppError } from '@/lib/errors';
import { createTextDecoder } from './decode-text';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Small, because the rows of one chunk are processed without yielding to the event loop. */
const chunkBytes = 16 * 1024;

/**
 * Detects the encoding of a text file: by its byte order mark, or UTF-16 by the zeros of its characters, otherwise UTF-8
 * if the whole file is valid UTF-8, otherwise windows-1252, which older spreadsheets write.
 * @throws AppError invalid_input for a compressed or a binary file
 */
export async function detectEncoding(path: string): Promise<TextEncoding> {
  const utf8 = createTextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let isFirst = true;
  for await (const chunk of readChunks(path)) {
    if (isFirst) {
      isFirst = false;
      if (startsWith(chunk, [0xff, 0xfe])) return 'utf-16le';
      if (startsWith(chunk, [0xfe, 0xff])) return 'utf-16be';
      if (startsWith(chunk, [0x50, 0x4b, 0x03, 0x04]) || startsWith(chunk, [0x50, 0x4b, 0x05, 0x06])) {
        throw notTextError(
          'This is a ZIP archive or an Excel workbook, not a CSV file. Save it as CSV and upload that.',
        );
      }
      if (startsWith(chunk, [0x1f, 0x8b])) {
        throw notTextError('This file is compressed (gzip). Unpack it and upload the CSV file in it.');
      }
      const utf16 = findUnmarkedUtf16(chunk);
      if (utf16) return utf16;
    }
    if (chunk.includes(0)) throw notTextError('This is not a CSV file: it contains no text. Save the table as CSV.');
    isUtf8 &&= canDecode(utf8, chunk);
  }
  return isUtf8 && canDecode(utf8) ? 'utf-8' : 'windows-1252';
}

/** Reads a file as text in chunks, without its byte order mark and with line endings normalized to \n. */
export async function* readText(path: string, encoding: TextEncoding): AsyncGenerator<string> {
  const decoder = createTextDecoder(encoding);
  let held = '';
  for await (const chunk of readChunks(path)) {
    const text = held + decoder.decode(chunk, { stream: true });
    // A \r at the end of a chunk may be followed by \n in the next one.
    held = text.endsWith('\r') ? '\r' : '';
    yield normalizeLineEndings(held ? text.slice(0, -1) : text);
  }
  yield normalizeLineEndings(held + decoder.decode());
}

/** Reads the beginning of a text file. @param length the number of characters from which on it is not read further */
export async function readSample(
  path: string,
  encoding: TextEncoding,
  length: number,
): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  for await (const piece of readText(path, encoding)) {
    text += piece;
    if (text.length > length) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}

const normalizeLineEndings = (text: string) => text.replace(/\r\n?/g, '\n');

async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: chunkBytes });
  yield* stream;
}

const startsWith = (chunk: Buffer, mark: number[]) => mark.every((byte, at) => chunk[at] === byte);

/**
 * Finds UTF-16 without a byte order mark: of most characters of a table, which are in ASCII, one of both bytes is zero.
 * @returns null for a text in another encoding, and for a binary file, whose zeros are at odd and even positions
 */
function findUnmarkedUtf16(chunk: Buffer): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  for (const [at, byte] of chunk.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 6 < chunk.length || Math.min(even, odd) * 50 > chunk.length) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function canDecode(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch (thrown) {
    // A fatal TextDecoder throws TypeError for invalid UTF-8.
    if (thrown instanceof TypeError) return false;
    throw thrown;
  }
}

function notTextError(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { file: message } });
}

export type CsvRecord = {
  /** The row number as in a spreadsheet: the first line is 1. */
  row: number;
  cells: string[];
  /** The row has a quote inside a quoted cell that is not escaped, so its cell borders are uncertain. */
  isMalformed: boolean;
};
export type Delimiter = ',' | ';' | '\t' | '|';

/** The maximum length of a row in characters. Prevents an unclosed quote from buffering the whole file. */
const maxRowLength = 64 * 1024;
/** The maximum number of unescaped quotes. A file with more is not CSV and is expensive to parse. */
const maxStrayQuotes = 10_000;

/**
 * Parses CSV text into rows, chunk by chunk.
 * @param text chunks with \n line endings
 * @returns the rows of each chunk, including blank ones, so that row numbers match the spreadsheet
 * @throws AppError invalid_input for an unclosed quote, a row that is too long, or too many unescaped quotes
 */
export async function* parseRecords(text: AsyncIterable<string>, delimiter: Delimiter): AsyncGenerator<CsvRecord[]> {
  let row = 0;
  let held = '';
  let strayQuotes = 0;
  const parseChunk = (input: string, isLast: boolean): CsvRecord[] => {
    const { data, errors, meta } = parseCsv(input, delimiter, !isLast);
    held = input.slice(meta.cursor);
    const unclosed = errors.find(({ code }) => code === 'MissingQuotes');
    if (unclosed)
      throw unreadableError(`Row ${row + 1 + (unclosed.row ?? data.length)} opens a quote (") that is never closed.`);
    if (held.length > maxRowLength) {
      throw unreadableError(
        `Row ${row + 1 + data.length} does not end: a quote (") in it is never closed, or it is too long.`,
      );
    }
    strayQuotes += errors.length;
    if (strayQuotes > maxStrayQuotes)
      throw unreadableError('Quotes (") inside its cells are not doubled, in too many places.');
    // Errors after the last complete row belong to a row that is parsed again with the next chunk.
    const malformed = new Set(errors.map((error) => error.row));
    return data.map((cells, at) => ({ row: ++row, cells, isMalformed: malformed.has(at) }));
  };
  for await (const piece of text) {
    const records = parseChunk(held + piece, false);
    if (records.length > 0) yield records;
  }
  if (held !== '') yield parseChunk(held, true);
}

/** Parses the rows at the beginning of a text that may be truncated. */
export function parseFirstRecords(text: string, delimiter: Delimiter, isWhole: boolean): string[][] {
  return parseCsv(text, delimiter, !isWhole).data;
}

function parseCsv(input: string, delimiter: Delimiter, ignoreLastRow: boolean): ParseResult<string[]> {
  return new Papa.Parser({ delimiter, newline: '\n', quoteChar: '"' }).parse(input, 0, ignoreLastRow);
}

function unreadableError(reason: string): AppError {
  const message = `The file cannot be read as CSV. ${reason}`;
  return new AppError('invalid_input', message, { fields: { file: message } });
}
