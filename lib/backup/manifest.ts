import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { env } from '../env';
import { AppError } from '../errors';
import { parseKeyRing } from '../payments/secrets';

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

/** How archives are laid out; a version that lays them out otherwise has the next number. */
const formatVersion = 1;

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
  files: z.array(z.object({ key: z.string(), sizeBytes: z.int(), sha256 })),
  /** Delivered files that the database names and the store did not have. */
  missingFiles: z.array(z.string()),
  /** The last seal of the audit log's chain (docs/audit.md). */
  auditHead: z.object({ position: z.int(), hash: sha256 }).nullable(),
});
export type Manifest = z.output<typeof manifestSchema>;
export type ManifestTable = z.output<typeof part>;

/** What an archive begins with. */
export const about = { format: 'linkmarket-backup', formatVersion } as const;
const aboutSchema = z.object({ format: z.literal(about.format), formatVersion: z.int() });

/**
 * Looks at the beginning of an archive, before anything else of it is read.
 * @throws AppError invalid_input for one of a newer version, laid out as this one does not know; SyntaxError and
 * ZodError for what is none of ours
 */
export function requireKnownFormat(beginning: Buffer): void {
  const { formatVersion: given } = aboutSchema.parse(JSON.parse(beginning.toString('utf8')));
  if (given <= formatVersion) return;
  throw new AppError(
    'invalid_input',
    'This archive was made by a newer version of the application. Update this installation first, then restore.',
  );
}

/**
 * Signs a manifest with the first of SECRET_KEYS: only an installation that holds the key makes archives that one with
 * it takes. Without that, whoever may restore could write an archive with money and rights of their own.
 * @returns `<key id>.<signature in hex>`
 */
export function signManifest(manifest: Buffer): string {
  const [first] = parseKeyRing(env().SECRET_KEYS);
  if (!first) throw new Error('SECRET_KEYS holds no key.');
  return `${first.id}.${signature(first.key, manifest)}`;
}

/**
 * @throws AppError invalid_input when no key of ours signed exactly this
 */
export function requireSignature(manifest: Buffer, signed: string): void {
  const [id, given = ''] = signed.split('.');
  const known = parseKeyRing(env().SECRET_KEYS).find((entry) => entry.id === id);
  const expected = Buffer.from(known ? signature(known.key, manifest) : '');
  const isOurs =
    known !== undefined && given.length === expected.length && timingSafeEqual(Buffer.from(given), expected);
  if (isOurs) return;
  throw new AppError(
    'invalid_input',
    'This archive was changed, or was made with other keys: an installation restores only archives that were signed with a key in its SECRET_KEYS.',
  );
}

/** With a key of its own, so that nothing else sealed with the ring's key can pass for a signature. */
function signature(key: Buffer, manifest: Buffer): string {
  const own = createHmac('sha256', key).update('linkmarket backup signature').digest();
  return createHmac('sha256', own).update(manifest).digest('hex');
}
