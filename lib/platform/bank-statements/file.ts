import Papa from 'papaparse';
import { AppError } from '@/lib/errors';
import { decodeText, decodeUtf8, findXmlEncoding } from '@/lib/platform/decode-text';

/** The maximum size of a statement file. */
export const maxStatementBytes = 5 * 1024 * 1024;

export function statementTooLargeError(): AppError {
  const message = 'The file is larger than 5 MB. Export the statement for fewer days.';
  return new AppError('too_large', message, { fields: { file: message } });
}

/** @param reason what is wrong with the file; complete sentences */
export function unreadableError(reason: string): AppError {
  const message = `The statement cannot be read. ${reason}`;
  return new AppError('invalid_input', message, { fields: { file: message } });
}

/**
 * Decodes a statement: UTF-8, UTF-16 with a byte order mark, the encoding of its XML declaration, or windows-1252 or
 * windows-1250, which older banking software writes.
 * @throws AppError too_large above 5 MB, invalid_input for an empty file, an archive or a binary file
 */
export function decodeStatement(file: Uint8Array): { text: string; isXml: boolean } {
  if (file.byteLength > maxStatementBytes) throw statementTooLargeError();
  if (file[0] === 0x50 && file[1] === 0x4b)
    throw unreadableError('It is a ZIP archive. Unpack it and upload its files.');
  // A byte order mark of UTF-16 is not valid UTF-8, and wins over the encoding.
  const text = decodeUtf8(file) ?? decodeText(file, findXmlEncoding(file) ?? findTableEncoding(file));
  if (text.trim() === '') throw unreadableError('It is empty.');
  if (text.includes('\0')) throw unreadableError('It contains no text.');
  return { text, isXml: /^\s*</.test(text) };
}

/** In windows-1252, the Polish letters of windows-1250 are signs that stand in no word. */
const findTableEncoding = (file: Uint8Array): string =>
  /\p{L}[³¹¿]\p{L}/u.test(decodeText(file, 'windows-1252')) ? 'windows-1250' : 'windows-1252';

/**
 * Reads the records of a table separated by commas, semicolons or tabs.
 * @param header finds the line of the separator: by default the first one
 * @throws AppError invalid_input for a quote that is not closed
 */
export function readTable(text: string, header = (lines: readonly string[]): string => lines[0] ?? ''): string[][] {
  const unified = text.replace(/\r\n?/g, '\n');
  const delimiter = findDelimiter(header(unified.split('\n', 50)));
  const { data, errors } = Papa.parse<string[]>(unified, { delimiter, newline: '\n' });
  const unclosed = errors.find(({ type }) => type === 'Quotes');
  if (unclosed) throw unreadableError(`Row ${(unclosed.row ?? 0) + 1} has a quote (") that is not closed or doubled.`);
  return data;
}

/** Returns the separator that is most frequent in a line. */
function findDelimiter(line: string): string {
  const count = (separator: string) => line.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/**
 * Converts a decimal number without a sign to cents.
 * @returns null when it is not such a number, has a third decimal other than 0, or exceeds a safe integer
 */
export function toCents(text: string): number | null {
  const match = /^(\d{1,16})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!match) return null;
  const cents = Number(`${match[1] ?? ''}${(match[2] ?? '').padEnd(2, '0')}`);
  return Number.isSafeInteger(cents) ? cents : null;
}

/** Returns an IBAN or account number without the spaces and hyphens in which people write it. */
export const toAccountNumber = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

/** Returns whether a text is a day of the calendar in the form YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse turns February 30 into March 1 or refuses it, depending on the engine.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
