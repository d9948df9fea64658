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
