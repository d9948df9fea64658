import { type Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { FetchError } from './page-fetch';

/** The codings that the fetcher asks for in Accept-Encoding. */
export const acceptedCodings = 'gzip, deflate, br';

type Limit = {
  /** Bytes after decompression. The bytes before it have the same limit. */
  maxBytes: number;
  /** What happens to a longer body: it is cut off, or the fetch fails. */
  whenLonger: 'cut' | 'fail';
};

/**
 * Reads a response's body and undoes its coding. Decompression stops at the limit, so that a small body that expands
 * to gigabytes costs no more than one that ends there.
 * @throws FetchError too_large; encoding for a coding that was not asked for, or damaged data; interrupted when the
 * connection ends before the body, because half a page cannot show that a link is missing
 */
export async function readBody(
  response: Readable,
  contentEncoding: string | undefined,
  { maxBytes, whenLonger }: Limit,
): Promise<Buffer> {
  const coding = (contentEncoding ?? 'identity').trim().toLowerCase();
  const body = new BoundedBody(maxBytes);
  const received = { bytes: 0 };
  const count = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      received.bytes += chunk.length;
      if (received.bytes > maxBytes && coding !== 'identity') throw new TooLongError();
      yield chunk;
    }
  };
  try {
    if (coding === 'identity' || coding === '') await pipeline(response, count, body);
    else if (coding === 'deflate') await pipeline(response, count, inflateEitherForm, body);
    else await pipeline(response, count, createDecoder(coding), body);
  } catch (error) {
    if (error instanceof TooLongError) {
      if (whenLonger === 'fail') throw new FetchError('too_large');
    } else if (isDecoderError(error)) {
      // Some servers announce a coding for an empty body.
      if (received.bytes === 0) return Buffer.alloc(0);
      throw new FetchError('encoding', null, { cause: error });
    } else {
      throw error instanceof FetchError ? error : new FetchError('interrupted', null, { cause: error });
    }
  }
  return body.content();
}

class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

class BoundedBody extends Writable {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.chunks.push(chunk.subarray(0, this.maxBytes - this.size));
    this.size = Math.min(this.maxBytes + 1, this.size + chunk.length);
    done(this.size > this.maxBytes ? new TooLongError() : undefined);
  }

  content(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

function createDecoder(coding: string): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  throw new FetchError('encoding');
}

/** "deflate" means the zlib format (RFC 9110), but some servers send the raw format. The first byte tells them apart. */
async function* inflateEitherForm(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done || first.value.length === 0) return;
  const decoder = ((first.value[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  const rest = async function* () {
    yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  const feeding = pipeline(rest, decoder);
  // The loop below receives the same error through the decoder.
  feeding.catch(() => undefined);
  for await (const chunk of decoder) yield chunk;
  await feeding;
}

/** Errors of zlib have codes such as Z_DATA_ERROR, Z_BUF_ERROR and ERR__ERROR_FORMAT_PADDING_1. */
function isDecoderError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR__)/.test(String(error.code));
}
