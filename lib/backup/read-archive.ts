import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, extract as openExtract } from 'tar-stream';
import { ZodError } from 'zod';
import { AppError } from '../errors';
import { readEntryName } from './archive-entries';
import { type Manifest, manifestSchema, requireKnownFormat, requireSignature } from './manifest';
import { tableSum } from './table-sum';

/** What to do with an archive's parts as they come; a part without a reader is only checked. */
export type ArchiveReader = {
  /** A piece of a table's COPY text; pieces of one table come one after the other. */
  onTable?: (name: string, chunk: Buffer) => Promise<void>;
  onFile?: (key: string, content: Readable) => Promise<void>;
};

const maxManifestBytes = 256_000_000;

/**
 * Reads an archive from its first byte to its last and holds every part to the signed manifest. What the reader was
 * given counts only once this resolves: the manifest comes last.
 * @throws AppError invalid_input for what is no archive of ours, or one that was damaged or changed
 */
export async function readArchive(source: Readable, reader: ArchiveReader = {}): Promise<Manifest> {
  const extract = openExtract();
  const feeding = pipeline(source, createGunzip(), (chunks) => feed(chunks, extract));
  // Whoever reads the entries learns of its failure there; it is awaited below all the same.
  feeding.catch(() => undefined);
  try {
    const found = await readEntries(extract, reader);
    await feeding;
    return holdToManifest(found);
  } catch (thrown) {
    source.destroy();
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
  signature: string;
  tables: Map<string, ReturnType<typeof tableSum>>;
  files: Map<string, string>;
};

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

async function readEntries(entries: AsyncIterable<Entry>, { onTable, onFile }: ArchiveReader): Promise<Found> {
  const found: Found = { manifest: null, signature: '', tables: new Map(), files: new Map() };
  let isFirst = true;
  for await (const entry of entries) {
    const name = readEntryName(entry.header.name);
    if (isFirst && name.kind !== 'about') throw notReadable();
    isFirst = false;
    if (name.kind === 'table') {
      const sum = found.tables.get(name.name) ?? tableSum();
      found.tables.set(name.name, sum);
      for await (const chunk of bytes(entry)) {
        sum.add(chunk);
        await onTable?.(name.name, chunk);
      }
    } else if (name.kind === 'file') {
      const hash = createHash('sha256');
      const hashed = Readable.from(hashing(bytes(entry), hash), { objectMode: false });
      if (onFile) await onFile(name.name, hashed);
      for await (const _ of hashed);
      found.files.set(name.name, hash.digest('hex'));
    } else if (name.kind === 'manifest') {
      found.manifest = await bytesOf(entry);
    } else if (name.kind === 'signature') {
      found.signature = (await bytesOf(entry)).toString('utf8').trim();
    } else if (name.kind === 'about') {
      requireKnownFormat(await bytesOf(entry));
    } else {
      for await (const _ of entry);
    }
  }
  return found;
}

/** The tar reader's types do not tell what its entries give. */
async function* bytes(entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('An archive’s entry gave something else than bytes.');
    yield chunk;
  }
}

async function* hashing(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function bytesOf(entry: Entry): Promise<Buffer> {
  if (entry.header.size > maxManifestBytes) throw notReadable();
  const chunks: Buffer[] = [];
  for await (const chunk of bytes(entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function holdToManifest({ manifest: written, signature, tables, files }: Found): Manifest {
  if (!written) throw notReadable();
  requireSignature(written, signature);
  const manifest = manifestSchema.parse(JSON.parse(written.toString('utf8')));
  for (const part of manifest.tables) {
    const { rows, sha256 } = (tables.get(part.name) ?? tableSum()).result();
    if (rows !== part.rows || sha256 !== part.sha256) throw damaged(`the table ${part.name}`);
  }
  for (const file of manifest.files) {
    if (files.get(file.key) !== file.sha256) throw damaged(`the file ${file.key}`);
  }
  const isMore =
    tables.size > manifest.tables.filter(({ rows }) => rows > 0).length || files.size > manifest.files.length;
  if (isMore) throw damaged('something that its manifest does not name');
  return manifest;
}

function damaged(what: string): AppError {
  return new AppError('invalid_input', `This archive is damaged: ${what} is not what its manifest says.`);
}
