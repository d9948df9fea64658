import { createHmac, hkdfSync } from 'node:crypto';
import { env } from '../env';
import { type KeyRing, parseKeyRing } from '../payments/secrets';

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
