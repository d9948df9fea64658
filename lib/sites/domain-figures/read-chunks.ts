import { createReadStream, type ReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { AppError } from '@/lib/errors';

const chunkBytes = 64 * 1024;

/** The size of a file in bytes, and when it was changed. */
type FileFacts = { bytes: number; changedAt: Date };

/** @throws AppError not_found, or invalid_input for a folder or device */
export async function getFileFacts(path: string): Promise<FileFacts> {
  const facts = await stat(path).catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
    throw new AppError('not_found', `The file ${path} does not exist.`);
  });
  if (!facts.isFile()) throw new AppError('invalid_input', `${path} is not a file.`);
  return { bytes: facts.size, changedAt: facts.mtime };
}

/**
 * Reads a file in chunks, decompressed if it is gzip by its content, of one or several members.
 * @param onChunk takes a chunk, and how many bytes of the file were read until then
 * @throws AppError invalid_input for a gzip file that is corrupt or not complete
 */
export async function readChunks(
  path: string,
  onChunk: (chunk: Uint8Array, readBytes: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const isCompressed = await isGzip(path);
  const file = createReadStream(path, { highWaterMark: chunkBytes, signal });
  try {
    const chunks = isCompressed ? decompress(file) : file;
    for await (const chunk of chunks) onChunk(chunk, file.bytesRead);
  } catch (thrown) {
    const reason = gzipErrors[codeOf(thrown)];
    throw reason ? new AppError('invalid_input', `${reason} Nothing was stored.`) : thrown;
  } finally {
    file.destroy();
  }
}

/** Not by `pipeline`, which fails if the file has zeros after its last member. */
function decompress(file: ReadStream): Gunzip {
  const chunks = createGunzip({ chunkSize: chunkBytes });
  file.on('error', (error) => chunks.destroy(error));
  return file.pipe(chunks);
}

const gzipErrors: Record<string, string | undefined> = {
  Z_BUF_ERROR: 'The gzip file ends too early. Download it again.',
  Z_DATA_ERROR: 'The gzip file is corrupt. Download it again.',
};

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

const codeOf = (thrown: unknown) =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
