import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { env } from '@/lib/env';
import { type KeyRing, parseKeyRing } from '@/lib/platform/secrets';

type AuditLine = {
  action: string;
  details: string;
  userId: string | null;
  user: string;
  role: string;
  amountCents?: number | null;
  source: string;
  entityType: string;
  entityId: string;
  before?: unknown;
  after?: unknown;
  ip: string;
  requestId: string;
};

const macForm = /^v1\.([a-z0-9]+-[0-9a-f]{8})\.([\w-]{22})\.[\w-]{43}$/;

/**
 * Signs an audit entry when it is written: without SECRET_KEYS a row cannot be forged, even if the application seals it
 * later. The id and the time are assigned by the database and covered by the seal.
 * @returns `v1.<key id>.<nonce>.<HMAC-SHA256>`; the nonce makes each value unique, so that a copied entry is detected
 */
export function signLine(line: AuditLine, key: AuditKey = auditKeys()[0]): string {
  return computeMac(line, key, randomBytes(16).toString('base64url'));
}

export type LineStatus = 'authentic' | 'forged' | 'key missing';

/** Verifies the stored signature of an entry. @param mac the stored value */
export function verifyLine(line: AuditLine, mac: string | null, keys: readonly AuditKey[]): LineStatus {
  const [, id, nonce] = macForm.exec(mac ?? '') ?? [];
  if (mac === null || !id || !nonce) return 'forged';
  const key = keys.find((known) => known.id === id);
  if (!key) return 'key missing';
  const [given, expected] = [Buffer.from(mac), Buffer.from(computeMac(line, key, nonce))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? 'authentic' : 'forged';
}

/** Returns the id of the key that signed an entry; null for a forged one. */
export const getMacKeyId = (mac: string | null): string | null => macForm.exec(mac ?? '')?.[1] ?? null;

function computeMac(line: AuditLine, key: AuditKey, nonce: string): string {
  const { action, details, userId, user, role, amountCents, source, entityType, entityId, ip, requestId } = line;
  const fields = [action, details, userId, user, role, amountCents, source, entityType, entityId];
  const signed = toCanonicalJson([nonce, ...fields, line.before, line.after, ip, requestId]);
  return `v1.${key.id}.${nonce}.${hmac(key.line, signed).digest('base64url')}`;
}

const text = z.string();
const number = z.number();
const json = z.unknown();
/** The same order of fields as `entryContent` (chain.ts). */
const content = z.tuple([
  number,
  text,
  text,
  text.nullable(),
  text,
  text,
  number.nullable(),
  text,
  text,
  text,
  json,
  json,
  text,
  text,
  number,
]);

/** Parses an entry from its sealed content (chain.ts). @throws Error when the content is invalid */
export function parseLine(written: string): AuditLine {
  const fields = content.parse(JSON.parse(written));
  const [
    ,
    action,
    details,
    userId,
    user,
    role,
    amountCents,
    source,
    entityType,
    entityId,
    before,
    after,
    ip,
    requestId,
  ] = fields;
  return {
    ...{ action, details, userId, user, role, amountCents, source, entityType, entityId },
    ...{ before, after, ip, requestId },
  };
}

/** Formats JSON with sorted keys, so that it is equal before and after PostgreSQL's jsonb, which reorders keys. */
function toCanonicalJson(value: unknown): string {
  return serialize(JSON.parse(JSON.stringify(value)));
}

function serialize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialize).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${serialize(part)}`).join()}}`;
}

/** The keys of the audit log, derived from one of SECRET_KEYS. */
export type AuditKey = {
  /** `<id in SECRET_KEYS>-<8 hex digits of the key>`: a different key under the same id has a different name. */
  id: string;
  /** Signs seals, which cover the order of all entries. */
  seal: Buffer;
  /** Signs a single entry when it is written. */
  line: Buffer;
  /** Signs the result of a verification. */
  proof: Buffer;
};

const derive = (key: Buffer, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, '', `linkmarket audit ${purpose} 1`, bytes));

/** Derives the audit keys of a ring, in its order: the first signs, all verify. @throws Error for an empty ring */
export function deriveAuditKeys(ring: KeyRing): [AuditKey, ...AuditKey[]] {
  const [first, ...older] = ring.map(({ id, key }) => ({
    id: `${id}-${derive(key, 'key id', 4).toString('hex')}`,
    seal: derive(key, 'seal', 32),
    line: derive(key, 'line', 32),
    proof: derive(key, 'proof', 32),
  }));
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  return [first, ...older];
}

let cached: { text: string; keys: [AuditKey, ...AuditKey[]] } | undefined;

/** Returns the audit keys of the installation, cached because every entry needs them. */
export function auditKeys(): [AuditKey, ...AuditKey[]] {
  const text = env().SECRET_KEYS;
  if (cached?.text !== text) cached = { text, keys: deriveAuditKeys(parseKeyRing(text)) };
  return cached.keys;
}

/** Signs the result of a verification. @returns `<key id>.<HMAC-SHA256>` */
export const signProof = (statement: string, { id, proof }: AuditKey = auditKeys()[0]): string =>
  `${id}.${hmac(proof, statement).digest('base64url')}`;

/** Verifies a signature of `signProof`. */
export function isSignedProof(statement: string, mac: string | null, keys: readonly AuditKey[] = auditKeys()): boolean {
  const key = keys.find(({ id }) => id === mac?.split('.')[0]);
  if (!key || mac === null) return false;
  const [given, expected] = [Buffer.from(mac), Buffer.from(signProof(statement, key))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text);
