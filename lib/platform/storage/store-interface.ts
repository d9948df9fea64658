import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/**
 * Yields a stream unchanged and fails at its end if its SHA-256 is not the expected one, before a store makes the file
 * readable: a file that changed on the disk since it was checked is not stored.
 */
export async function* verifyChecksum(stream: Readable, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest('hex') !== sha256)
    throw new Error('The file differs from the one that was checked. It was not stored.');
}
