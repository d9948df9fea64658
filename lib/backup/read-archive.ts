import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, extract as openExtract } from 'tar-stream';
import { ZodError, z } from 'zod';
import { AppError } from '@/lib/errors';
import { maxContentBytes } from '@/lib/orders/deliverables/store-file';
import { type SpooledFile, spool } from '@/lib/platform/storage/spool';
import { backupKey } from '@/lib/platform/storage/storage-key';
import { backupStore } from '@/lib/platform/storage/store';
import { decryptArchive } from './encryption';
import {
  createFileChecksum,
  formatVersion,
  type Manifest,
  manifestSchema,
  maxManifestBytes,
  maxPieceBytes,
  parseEntryName,
} from './manifest';
import { requireCompleteBackup } from './queries';
import { maxArchiveBytes } from './schemas';
import { createTableChecksum } from './tables';

/** Callbacks for the parts of an archive. A part without a callback is only verified. */
export type ArchiveReader = {
  /** Receives the COPY text of a table in chunks; the chunks of one table are consecutive. */
  onTable?: (name: string, chunk: Buffer) => Promise<void>;
  onFile?: (key: string, content: Readable) => Promise<void>;
  /** Receives the number of bytes of the archive that have been read. */
  onProgress?: (bytes: number) => void;
};

/** The maximum size of an entry by kind. This application does not write larger ones. */
const maxEntryBytes = { table: maxPieceBytes, file: maxContentBytes, manifest: maxManifestBytes };

/**
 * Reads a whole archive and verifies every part against the manifest. Bytes are authenticated before they are
 * decompressed or parsed (`decryptArchive`). The callbacks' data is valid only once this resolves, because the manifest
 * comes last and truncation is detected at the end.
 * @throws AppError invalid_input for a file that is not an archive of this installation's keys, or is damaged or modified
 */
export async function readArchive(source: Readable, reader: ArchiveReader = {}): Promise<Manifest> {
  const extract = openExtract();
  let refusal: AppError | null = null;
  let readBytes = 0;
  const countBytes = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      readBytes += chunk.length;
      reader.onProgress?.(readBytes);
      yield chunk;
    }
  };
  const decrypt = async function* (chunks: AsyncIterable<Buffer>) {
    try {
      yield* decryptArchive(countBytes(chunks));
    } catch (thrown) {
      if (thrown instanceof AppError) refusal = thrown;
      throw thrown;
    }
  };
  const writing = pipeline(source, decrypt, createGunzip(), (chunks) => writeTo(chunks, extract));
  // The reader of the entries receives the failure. Awaited below.
  writing.catch(() => undefined);
  try {
    const found = await readEntries(extract, reader);
    await writing;
    return verifyManifest(found);
  } catch (thrown) {
    source.destroy();
    if (refusal) throw refusal;
    if (isInvalidData(thrown)) throw invalidFileError();
    throw thrown;
  }
}

async function writeTo(chunks: AsyncIterable<Buffer>, extract: Extract): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!extract.write(chunk)) await waitForDrain(extract);
    }
    extract.end(null);
  } catch (thrown) {
    extract.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)));
    throw thrown;
  }
}

/** Waits until the stream drains or, if reading was aborted, closes. */
function waitForDrain(extract: Extract): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      extract.off('drain', go);
      extract.off('close', go);
      resolve();
    };
    extract.on('drain', go);
    extract.on('close', go);
  });
}

function invalidFileError(): AppError {
  return new AppError('invalid_input', 'This file is not a backup of this application, or it is damaged.');
}

/** Checks whether an error of zlib, tar-stream or the schemas is caused by invalid or truncated data. */
function isInvalidData(thrown: unknown): boolean {
  if (thrown instanceof SyntaxError || thrown instanceof ZodError) return true;
  if (!(thrown instanceof Error)) return false;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return /^Z_/.test(code) || /Invalid tar header|Unexpected end of data|Premature close/i.test(thrown.message);
}

type Found = {
  manifest: Buffer | null;
  tables: Map<string, ReturnType<typeof createTableChecksum>>;
  files: ReturnType<typeof createFileChecksum>;
};

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

async function readEntries(entries: AsyncIterable<Entry>, { onTable, onFile }: ArchiveReader): Promise<Found> {
  const found: Found = { manifest: null, tables: new Map(), files: createFileChecksum() };
  for await (const entry of entries) {
    const name = parseEntryName(entry.header.name);
    const size = entry.header.size ?? 0;
    // The manifest is the last entry.
    if (!name || entry.header.type !== 'file' || size > maxEntryBytes[name.kind] || found.manifest)
      throw invalidFileError();
    if (name.kind === 'table') {
      const sum = found.tables.get(name.name) ?? createTableChecksum();
      found.tables.set(name.name, sum);
      for await (const chunk of bytes(entry)) {
        sum.add(chunk);
        await onTable?.(name.name, chunk);
      }
    } else if (name.kind === 'file') {
      found.files.add(name.name, { sizeBytes: size, sha256: await readFile(name.name, entry, onFile) });
    } else {
      found.manifest = await readAll(entry);
    }
  }
  return found;
}

/** Passes a file to the callback and consumes the remainder. @returns its SHA-256 in hex */
async function readFile(key: string, entry: Entry, onFile: ArchiveReader['onFile']): Promise<string> {
  const hash = createHash('sha256');
  const hashing = async function* () {
    for await (const chunk of bytes(entry)) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const content = Readable.from(hashing(), { objectMode: false });
  if (onFile) await onFile(key, content);
  if (!content.readableEnded) for await (const _ of content);
  return hash.digest('hex');
}

/** Narrows the untyped chunks of a tar entry. */
async function* bytes(entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('An archive entry did not yield bytes.');
    yield chunk;
  }
}

async function readAll(entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes(entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function verifyManifest({ manifest: written, tables, files }: Found): Manifest {
  if (!written) throw invalidFileError();
  const parsed: unknown = JSON.parse(written.toString('utf8'));
  if (z.object({ formatVersion: z.int() }).parse(parsed).formatVersion > formatVersion) throw newerVersionError();
  const manifest = manifestSchema.parse(parsed);
  for (const part of manifest.tables) {
    const { rows, sha256 } = (tables.get(part.name) ?? createTableChecksum()).result();
    if (rows !== part.rows || sha256 !== part.sha256) throw damagedError(`the table ${part.name}`);
  }
  const { count, bytes: fileBytes, sha256 } = files.result();
  const { files: named } = manifest;
  if (count !== named.count || fileBytes !== named.bytes || sha256 !== named.sha256) {
    throw damagedError('the delivered files');
  }
  if (tables.size > manifest.tables.filter(({ rows }) => rows > 0).length) {
    throw damagedError('a table that is not in its manifest');
  }
  return manifest;
}

function newerVersionError(): AppError {
  return new AppError(
    'invalid_input',
    'This archive was created by a newer version of the application. Update this installation first, then restore.',
  );
}

function damagedError(what: string): AppError {
  return new AppError('invalid_input', `This archive is damaged: ${what} does not match its manifest.`);
}

/**
 * Downloads an archive from the store to a temporary file, which can be read several times.
 * @throws AppError not_found, conflict for a backup that is not complete
 */
export async function withArchive<T>(id: string, use: (file: SpooledFile) => Promise<T>): Promise<T> {
  await requireCompleteBackup(id);
  return spool(await backupStore().get(backupKey(id)), maxArchiveBytes, use);
}
