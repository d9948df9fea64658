import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, extract as openExtract } from 'tar-stream';
import { ZodError } from 'zod';
import { AppError } from '../errors';
import { maxContentBytes } from '../orders/deliverables/attach';
import { type SpooledFile, spool } from '../platform/storage/spool';
import { backupKey } from '../platform/storage/storage-key';
import { contentStore } from '../platform/storage/store';
import { decryptArchive } from './encryption';
import { fileSum, type Manifest, manifestSchema, maxManifestBytes, maxPieceBytes, readEntryName } from './manifest';
import { requireComplete } from './queries';
import { maxArchiveBytes } from './schemas';
import { tableSum } from './tables';

/** What to do with an archive's parts as they come; a part without a reader is only checked. */
export type ArchiveReader = {
  /** A piece of a table's COPY text; pieces of one table come one after the other. */
  onTable?: (name: string, chunk: Buffer) => Promise<void>;
  onFile?: (key: string, content: Readable) => Promise<void>;
};

/** The largest entry of each kind. A larger one was not written by this application. */
const maxEntryBytes = { table: maxPieceBytes, file: maxContentBytes, manifest: maxManifestBytes };

/**
 * Reads an archive from its first byte to its last and compares every part with the manifest. No byte is unpacked or
 * parsed before it was authenticated (`decryptArchive`). What the reader was given counts only once this resolves: the
 * manifest comes last, and only the end shows that nothing was cut off.
 * @throws AppError invalid_input for what is no archive of this installation's keys, or one that was damaged or changed
 */
export async function readArchive(source: Readable, reader: ArchiveReader = {}): Promise<Manifest> {
  const extract = openExtract();
  let refusal: AppError | null = null;
  const decrypt = async function* (chunks: AsyncIterable<Buffer>) {
    try {
      yield* decryptArchive(chunks);
    } catch (thrown) {
      if (thrown instanceof AppError) refusal = thrown;
      throw thrown;
    }
  };
  const feeding = pipeline(source, decrypt, createGunzip(), (chunks) => feed(chunks, extract));
  // Whoever reads the entries learns of its failure there; it is awaited below all the same.
  feeding.catch(() => undefined);
  try {
    const found = await readEntries(extract, reader);
    await feeding;
    return compareWithManifest(found);
  } catch (thrown) {
    source.destroy();
    if (refusal) throw refusal;
    if (isDamage(thrown)) throw notReadable();
    throw thrown;
  }
}

async function feed(chunks: AsyncIterable<Buffer>, extract: Extract): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!extract.write(chunk)) await drained(extract);
    }
    extract.end(null);
  } catch (thrown) {
    extract.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)));
    throw thrown;
  }
}

/** Also when nobody reads on: then it is destroyed, and never drains. */
function drained(extract: Extract): Promise<void> {
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

function notReadable(): AppError {
  return new AppError('invalid_input', 'This file is no backup of this application, or it is damaged.');
}

/** What zlib, the tar reader and the schemas say of bytes that are none of theirs, or that end too soon. */
function isDamage(thrown: unknown): boolean {
  if (thrown instanceof SyntaxError || thrown instanceof ZodError) return true;
  if (!(thrown instanceof Error)) return false;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return /^Z_/.test(code) || /Invalid tar header|Unexpected end of data|Premature close/i.test(thrown.message);
}

type Found = {
  manifest: Buffer | null;
  tables: Map<string, ReturnType<typeof tableSum>>;
  files: ReturnType<typeof fileSum>;
};

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

async function readEntries(entries: AsyncIterable<Entry>, { onTable, onFile }: ArchiveReader): Promise<Found> {
  const found: Found = { manifest: null, tables: new Map(), files: fileSum() };
  for await (const entry of entries) {
    const name = readEntryName(entry.header.name);
    const size = entry.header.size ?? 0;
    // The manifest is the last entry.
    if (!name || entry.header.type !== 'file' || size > maxEntryBytes[name.kind] || found.manifest) throw notReadable();
    if (name.kind === 'table') {
      const sum = found.tables.get(name.name) ?? tableSum();
      found.tables.set(name.name, sum);
      for await (const chunk of bytes(entry)) {
        sum.add(chunk);
        await onTable?.(name.name, chunk);
      }
    } else if (name.kind === 'file') {
      found.files.add(name.name, { sizeBytes: size, sha256: await readFile(name.name, entry, onFile) });
    } else {
      found.manifest = await bytesOf(entry);
    }
  }
  return found;
}

/** Hands a file to its reader, and reads what that one leaves. @returns its SHA-256 in hex */
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

/** The tar reader's types do not tell what its entries give. */
async function* bytes(entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('An entry of an archive gave something else than bytes.');
    yield chunk;
  }
}

async function bytesOf(entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes(entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function compareWithManifest({ manifest: written, tables, files }: Found): Manifest {
  if (!written) throw notReadable();
  const manifest = manifestSchema.parse(JSON.parse(written.toString('utf8')));
  for (const part of manifest.tables) {
    const { rows, sha256 } = (tables.get(part.name) ?? tableSum()).result();
    if (rows !== part.rows || sha256 !== part.sha256) throw damaged(`the table ${part.name}`);
  }
  const { count, bytes: fileBytes, sha256 } = files.result();
  const { files: named } = manifest;
  if (count !== named.count || fileBytes !== named.bytes || sha256 !== named.sha256) {
    throw damaged('the delivered files');
  }
  if (tables.size > manifest.tables.filter(({ rows }) => rows > 0).length) {
    throw damaged('a table that its manifest does not name');
  }
  return manifest;
}

function damaged(what: string): AppError {
  return new AppError('invalid_input', `This archive is damaged: ${what} is not what its manifest says.`);
}

/**
 * Fetches an archive from the store into a temporary file, to be read more than once.
 * @throws AppError not_found, conflict while it is not complete
 */
export async function withArchive<T>(id: string, use: (file: SpooledFile) => Promise<T>): Promise<T> {
  await requireComplete(id);
  return spool(await contentStore().get(backupKey(id)), maxArchiveBytes, use);
}
