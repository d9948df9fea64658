import { createReadStream } from 'node:fs';
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
