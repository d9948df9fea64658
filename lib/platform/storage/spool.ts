import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@/lib/errors';

export type SpooledFile = { path: string; sizeBytes: number; sha256: string };

/**
 * Writes a stream to a temporary file, hashing and counting its bytes, passes the file to `use`, and always removes it.
 * The stream is destroyed as soon as it exceeds the maximum size.
 * @throws AppError too_large, invalid_input for an empty file
 */
export async function spool<T>(stream: Readable, maxBytes: number, use: (file: SpooledFile) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'linkmarket-upload-'));
  const path = join(folder, 'file');
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          sizeBytes += chunk.byteLength;
          if (sizeBytes > maxBytes) {
            throw new AppError('too_large', `The file is larger than ${maxBytes / 1_000_000} MB.`);
          }
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    );
    if (sizeBytes === 0)
      throw new AppError('invalid_input', 'The file is empty.', { fields: { file: 'The file is empty.' } });
    return await use({ path, sizeBytes, sha256: hash.digest('hex') });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
