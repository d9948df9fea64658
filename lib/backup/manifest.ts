import { createHash } from 'node:crypto';
import { z } from 'zod';
import { formatVersion } from './encryption';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const part = z.object({
  /** "schema.table". */
  name: z.string(),
  /** In the order in which its rows have them. */
  columns: z.array(z.string()),
  rows: z.int(),
  bytes: z.int(),
  sha256,
});

/** What an archive says of itself; the last thing in it, because its sums are known only then. */
export const manifestSchema = z.object({
  format: z.literal('linkmarket-backup'),
  formatVersion: z.literal(formatVersion),
  madeAt: z.iso.datetime(),
  /** The address of the installation that made it. */
  madeBy: z.string(),
  /** How many migrations it had, and the last one's fingerprint. */
  schema: z.object({ migrations: z.int(), last: z.string() }),
  tables: z.array(part),
  withFiles: z.boolean(),
  /** The delivered files in it; the sum is that of `fileSum`. */
  files: z.object({ count: z.int(), bytes: z.int(), sha256 }),
  /** How many delivered files the database names and the store did not have. */
  missingFiles: z.int(),
  /** The last seal of the audit log's chain (docs/audit.md). */
  auditHead: z.object({ position: z.int(), hash: sha256 }).nullable(),
});
export type Manifest = z.output<typeof manifestSchema>;
export type ManifestTable = z.output<typeof part>;

/** Counts and hashes an archive's delivered files: of each the line `<key> <bytes> <SHA-256>`, in the archive's order. */
export function fileSum() {
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

/** The last entry of an archive; its name for writing and reading, as those of the others below. */
export const manifestEntry = 'manifest.json';

/** A table stands in pieces, so that its length need not be known beforehand: tables/public.users/000001. */
export const tableEntry = (name: string, piece: number) => `tables/${name}/${String(piece).padStart(6, '0')}`;
export const fileEntry = (key: string) => `files/${key}`;

/** The largest piece of a table, and the largest manifest, that is written and read. */
export const maxPieceBytes = 1_000_000;
export const maxManifestBytes = 1_000_000;

type EntryName = { kind: 'table' | 'file'; name: string } | { kind: 'manifest' };

/** @returns null for a name that no archive has */
export function readEntryName(entry: string): EntryName | null {
  if (entry === manifestEntry) return { kind: 'manifest' };
  const table = /^tables\/([a-z_]+\.[a-z0-9_]+)\/\d{6,}$/.exec(entry)?.[1];
  if (table) return { kind: 'table', name: table };
  const key = /^files\/(orders\/\d{1,10}\/[0-9a-z]{26})$/.exec(entry)?.[1];
  return key ? { kind: 'file', name: key } : null;
}
