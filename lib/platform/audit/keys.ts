import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { env } from '../../env';
import { type KeyRing, parseKeyRing } from '../secrets';

type Line = {
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
 * Authenticates an entry when it is written: without SECRET_KEYS a row of the audit log cannot be made up, even where
 * the application then seals it. The number and the time come from the database and are covered by the seal.
 * @returns `v1.<key id>.<nonce>.<HMAC-SHA256>`; the nonce makes each unique, so that a copied entry is noticed
 */
export function signLine(line: Line, key: AuditKey = auditKeys()[0]): string {
  return macOf(line, key, randomBytes(16).toString('base64url'));
}

export type LineState = 'authentic' | 'unsigned' | 'forged' | 'key missing';

/** What the stored authentication of an entry is worth. @param mac as stored */
export function checkLine(line: Line, mac: string | null, keys: readonly AuditKey[]): LineState {
  if (mac === null) return 'unsigned';
  const [, id, nonce] = macForm.exec(mac) ?? [];
  if (!id || !nonce) return 'forged';
  const key = keys.find((known) => known.id === id);
  if (!key) return 'key missing';
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(line, key, nonce))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? 'authentic' : 'forged';
}

/** The key that authenticated an entry, by its id; null for an entry without. */
export const keyIdOf = (mac: string | null): string | null => macForm.exec(mac ?? '')?.[1] ?? null;

function macOf(line: Line, key: AuditKey, nonce: string): string {
  const { action, details, userId, user, role, amountCents, source, entityType, entityId, ip, requestId } = line;
  const fields = [action, details, userId, user, role, amountCents, source, entityType, entityId];
  const signed = canonical([nonce, ...fields, line.before, line.after, ip, requestId]);
  return `v1.${key.id}.${nonce}.${hmac(key.line, signed).digest('base64url')}`;
}

const text = z.string();
const number = z.number();
const json = z.unknown();
/** In the order of `entryContent` (chain.ts). */
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

/** An entry out of its content (chain.ts). @throws Error when it is none */
export function lineOf(written: string): Line {
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

/** JSON that is the same before and after PostgreSQL's jsonb, which orders keys in its own way. */
function canonical(value: unknown): string {
  return write(JSON.parse(JSON.stringify(value)));
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${write(part)}`).join()}}`;
}

/** Keys of the audit log, derived from one of SECRET_KEYS. */
export type AuditKey = {
  /** `<id in SECRET_KEYS>-<8 hex digits of the key>`: another key under the same id has another name. */
  id: string;
  /** Authenticates seals, and with them the order of all entries. */
  seal: Buffer;
  /** Authenticates an entry by itself, when it is written. */
  line: Buffer;
};

const derive = (key: Buffer, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, '', `linkmarket audit ${purpose} 1`, bytes));

/** Keys of the audit log for a ring, in its order: the first writes, all verify. @throws Error for an empty ring */
export function auditKeysOf(ring: KeyRing): [AuditKey, ...AuditKey[]] {
  const [first, ...older] = ring.map(({ id, key }) => ({
    id: `${id}-${derive(key, 'key id', 4).toString('hex')}`,
    seal: derive(key, 'seal', 32),
    line: derive(key, 'line', 32),
  }));
  if (!first) throw new Error('SECRET_KEYS holds no key.');
  return [first, ...older];
}

let cached: { text: string; keys: [AuditKey, ...AuditKey[]] } | undefined;

/** The installation's, from SECRET_KEYS; derived once, because each line of the audit log needs them. */
export function auditKeys(): [AuditKey, ...AuditKey[]] {
  const text = env().SECRET_KEYS;
  if (cached?.text !== text) cached = { text, keys: auditKeysOf(parseKeyRing(text)) };
  return cached.keys;
}

export const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text);
