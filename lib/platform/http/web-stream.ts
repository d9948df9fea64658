import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

// Node declares web streams a second time in `node:stream/web`; at run time both names are one class, which is all
// that the two casts below say.

/** A Node stream as the body of a Response or of a fetch. */
export function toWebStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
}

/** The body of a Request or Response as a Node stream. */
export function fromWebStream(body: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(body as unknown as NodeReadableStream<Uint8Array>);
}
