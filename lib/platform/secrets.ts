import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { env } from '@/lib/env';

/** The location of a secret. The ciphertext is bound to it and cannot be decrypted in another row or field. */
export type SecretSlot = { provider: string; mode: string; field: string };

/** The first key encrypts, all keys decrypt: to rotate keys, a new one is put first. */
export type KeyRing = readonly { id: string; key: Buffer }[];

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const sealedForm = /^v1\.([a-z0-9]+)\.([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/**
 * Encrypts a secret for the database with AES-256-GCM.
 * @returns `v1.<key id>.<iv>.<tag>.<ciphertext>`, the last three in base64url
 * @throws Error for an empty ring
 */
export function sealSecret(slot: SecretSlot, secret: string, ring: KeyRing = keyRing()): string {
  const [first] = ring;
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, first.key, iv, { authTagLength: tagBytes }).setAAD(getAssociatedData(slot));
  const text = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
  const parts = [iv, sealing.getAuthTag(), text].map((part) => part.toString('base64url'));
  return ['v1', first.id, ...parts].join('.');
}

/** A stored secret that cannot be decrypted. Its message names slot and key, never the secret. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

/**
 * Decrypts a stored secret.
 * @throws UnreadableSecret when the text is damaged, belongs to another slot, or was encrypted with a key that is not
 * in the ring
 */
export function openSecret(slot: SecretSlot, sealed: string, ring: KeyRing = keyRing()): string {
  const place = `${slot.provider} ${slot.mode} ${slot.field}`;
  const [, id, iv, tag, text] = sealedForm.exec(sealed) ?? [];
  if (!id || !iv || !tag || text === undefined) throw new UnreadableSecret(`The stored secret ${place} is damaged.`);
  const known = ring.find((entry) => entry.id === id);
  if (!known)
    throw new UnreadableSecret(`The stored secret ${place} needs the key "${id}", which is not in SECRET_KEYS.`);
  try {
    const opening = createDecipheriv(cipher, known.key, decode(iv), { authTagLength: tagBytes })
      .setAAD(getAssociatedData(slot))
      .setAuthTag(decode(tag));
    return Buffer.concat([opening.update(decode(text)), opening.final()]).toString('utf8');
  } catch (cause) {
    throw new UnreadableSecret(`The stored secret ${place} cannot be decrypted with the key "${id}".`, { cause });
  }
}

/**
 * Parses `id:base64,id:base64…`.
 * @throws Error when a key is not 32 bytes or an id is repeated
 */
export function parseKeyRing(text: string): KeyRing {
  const ring = text.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.split(':');
    return { id, key: Buffer.from(encoded, 'base64') };
  });
  for (const { id, key } of ring) {
    if (key.length !== keyBytes) throw new Error(`The key "${id}" of SECRET_KEYS is not 32 bytes long.`);
    if (ring.filter((other) => other.id === id).length > 1) throw new Error(`SECRET_KEYS contains "${id}" twice.`);
  }
  return ring;
}

const keyRing = (): KeyRing => parseKeyRing(env().SECRET_KEYS);
const getAssociatedData = ({ provider, mode, field }: SecretSlot) =>
  Buffer.from(`${provider}:${mode}:${field}`, 'utf8');
const decode = (part: string) => Buffer.from(part, 'base64url');

/** Compares a text from a request with a secret in constant time, independent of their lengths. */
export function isEqualConstantTime(input: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(input), digest(secret));
}
