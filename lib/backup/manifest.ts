import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseFileOwner } from '@/lib/platform/storage/storage-key';

/** The version of the archive's contents (docs/backup.md). Increase it with every change of them. */
export const formatVersion = 2;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const part = z.object({
  /** "schema.table". */
  name: z.string(),
  /** The columns, in the order of the rows' values. */
  columns: z.array(z.string()),
  rows: z.int(),
  bytes: z.int(),
  sha256,
});

/** The manifest of an archive. Written last, because the checksums are known only then. */
export const manifestSchema = z.object({
  format: z.literal('linkmarket-backup'),
  formatVersion: z.literal(formatVersion),
  madeAt: z.iso.datetime(),
  /** The URL of the installation that created the archive. */
  madeBy: z.string(),
  /** The number of migrations and the hash of the last one. */
  schema: z.object({ migrations: z.int(), last: z.string() }),
  tables: z.array(part),
  withFiles: z.boolean(),
  /** The delivered files in the archive; the checksum is that of `fileSum`. */
  files: z.object({ count: z.int(), bytes: z.int(), sha256 }),
  /** The number of delivered files that the database references but the store did not have. */
  missingFiles: z.int(),
  /** The last seal of the audit log's chain (docs/internals/audit.md). */
  auditHead: z.object({ position: z.int(), hash: sha256 }).nullable(),
});
export type Manifest = z.output<typeof manifestSchema>;
export type ManifestTable = z.output<typeof part>;

/** Counts and hashes the delivered files: a line `<key> <bytes> <SHA-256>` for each, in archive order. */
export function createFileChecksum() {
  const hash = createHash('sha256');
  let count = 0;
  let bytes = 0;
  return {
    add(key: string, file: { sizeBytes: number; sha256: string }) {
      hash.update(`${key} ${file.sizeBytes} ${file.sha256}\n`);
      count += 1;
      bytes += file.sizeBytes;
    },
    result: (): Manifest['files'] => ({ count, bytes, sha256: hash.digest('hex') }),
  };
}

/** The name of the last entry. The functions below build the names of the other entries. */
export const manifestEntry = 'manifest.json';

/** Formats the name of one piece of a table. Tables are split: tar requires the length of an entry in advance. */
export const tableEntry = (name: string, piece: number) => `tables/${name}/${String(piece).padStart(6, '0')}`;
export const fileEntry = (key: string) => `files/${key}`;

/** The maximum sizes of a table's piece and of the manifest, for writing and reading. */
export const maxPieceBytes = 1_000_000;
export const maxManifestBytes = 1_000_000;

type EntryName = { kind: 'table' | 'file'; name: string } | { kind: 'manifest' };

/** Parses the name of an entry. @returns null for an invalid name */
export function parseEntryName(entry: string): EntryName | null {
  if (entry === manifestEntry) return { kind: 'manifest' };
  const table = /^tables\/([a-z_]+\.[a-z0-9_]+)\/\d{6,}$/.exec(entry)?.[1];
  if (table) return { kind: 'table', name: table };
  const key = /^files\/(.+)$/.exec(entry)?.[1];
  return key && parseFileOwner(key) ? { kind: 'file', name: key } : null;
}
