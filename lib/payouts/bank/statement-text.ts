import { AppError } from '@/lib/errors';

/**
 * Decodes a statement: UTF-8, UTF-16 with a byte order mark, or windows-1252, which older banking software writes.
 * @throws AppError invalid_input for an empty file, an archive or a binary file
 */
export function decodeFile(file: Uint8Array): string {
  const [first, second] = file;
  if (first === 0x50 && second === 0x4b) throw unreadableError('It is a ZIP archive. Unpack it and upload its files.');
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // TextDecoder removes the byte order mark.
  const text = isUtf16
    ? new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(file)
    : (decodeUtf8(file) ?? new TextDecoder('windows-1252').decode(file));
  if (text.trim() === '') throw unreadableError('It is empty.');
  if (text.includes('\0')) throw unreadableError('It contains no text.');
  return text;
}

/** @returns null when the bytes are not UTF-8 */
function decodeUtf8(file: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch (thrown) {
    if (thrown instanceof TypeError) return null;
    throw thrown;
  }
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

/** @param reason what is wrong with the file; complete sentences */
export function unreadableError(reason: string): AppError {
  const message = `The statement cannot be read. ${reason}`;
  return new AppError('invalid_input', message, { fields: { file: message } });
}
