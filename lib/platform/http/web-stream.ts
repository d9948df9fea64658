import { Readable } from 'node:stream';
import { ReadableStream as NodeReadableStream } from 'node:stream/web';

// @types/node declares the classes of `node:stream/web` separately from the global ones. At run time they are the same
// class, so the casts below are safe.

/** Converts a Node stream to the body of a Response or a fetch. */
export function toWebStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
}

/** Converts the body of a Request or Response to a Node stream. */
export function fromWebStream(body: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(body as unknown as NodeReadableStream<Uint8Array>);
}

/** Converts chunks, which are taken as the stream is read. */
export function chunksToWebStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return NodeReadableStream.from(chunks) as unknown as ReadableStream<Uint8Array>;
}
