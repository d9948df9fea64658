import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { proofKeys } from '@/db/schema/links';
import type { Transaction } from '@/db/transaction';
import { type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { recordAudit } from '@/lib/platform/audit/record';
import { type KeyRing, openSecret, type SecretSlot, sealSecret, UnreadableSecret } from '@/lib/platform/secrets';
import type { ProofKey } from './verify-proof';

type KeyRow = typeof proofKeys.$inferSelect;
type SigningKey = { id: string; privateKey: KeyObject };

/** Returns the location of a sealed private key. */
export const proofKeySlot = (keyId: string): SecretSlot => ({ provider: 'passport', mode: 'ed25519', field: keyId });

/** Computes the JWK thumbprint (RFC 7638) of an Ed25519 key. @param x its 32 bytes in base64url */
export function computeThumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
}

/**
 * Returns the key that signs, created by the first caller. It is not replaced before the transaction ends, so that no
 * statement is signed with a key that was replaced. A key that SECRET_KEYS cannot decrypt, or that does not match its
 * public key, is replaced.
 */
export async function lockSigningKey(tx: Transaction): Promise<SigningKey> {
  return (await lockReadableKey(tx)) ?? (await replaceUnreadableKey(tx)) ?? lockCreatedKey(tx);
}

const isActive = isNull(proofKeys.retiredAt);

async function lockReadableKey(tx: Transaction): Promise<SigningKey | null> {
  const [row] = await tx.select().from(proofKeys).where(isActive);
  const key = row && openSigningKey(row);
  if (!key) return null;
  // Decrypted before it is locked: two transactions that share the lock could not both replace the key.
  const held = await tx
    .select({ id: proofKeys.id })
    .from(proofKeys)
    .where(and(eq(proofKeys.id, key.id), isActive))
    .for('share');
  return held.length > 0 ? key : null;
}

/** Returns null if another transaction created the key. */
async function replaceUnreadableKey(tx: Transaction): Promise<SigningKey | null> {
  const [current] = await tx.select().from(proofKeys).where(isActive).for('update');
  const key = current && openSigningKey(current);
  return key ?? createSigningKey(tx, systemActor(systemActors.linkPassports, 'job'), current);
}

async function lockCreatedKey(tx: Transaction): Promise<SigningKey> {
  const key = await lockReadableKey(tx);
  if (!key) throw new Error('Another instance created a signing key that SECRET_KEYS of this one cannot decrypt.');
  return key;
}

/**
 * Retires the signing key and creates the next one. The public key stays published, so that its passports stay valid.
 * @returns the id of the new key; null if no passport was ever signed
 */
export async function replaceSigningKey(tx: Transaction, actor: AnyActor, ring: KeyRing): Promise<string | null> {
  const [current] = await tx.select().from(proofKeys).where(isActive).for('update');
  if (!current) return null;
  return (await createSigningKey(tx, actor, current, ring))?.id ?? null;
}

/** Returns null if another transaction created one meanwhile. */
async function createSigningKey(
  tx: Transaction,
  actor: AnyActor,
  previous?: KeyRow,
  ring?: KeyRing,
): Promise<SigningKey | null> {
  // Not `now()`, which is the start of the transaction: passports may have been signed since.
  if (previous)
    await tx.update(proofKeys).set({ retiredAt: sql`clock_timestamp()` }).where(eq(proofKeys.id, previous.id));
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = getPublicPart(privateKey);
  const id = computeThumbprint(publicKey);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const sealedPrivateKey = sealSecret(proofKeySlot(id), pem, ring);
  const created = await tx
    .insert(proofKeys)
    .values({ id, publicKey, sealedPrivateKey })
    .onConflictDoNothing()
    .returning({ id: proofKeys.id });
  if (created.length === 0) return null;
  await recordAudit(tx, actor, {
    action: 'proof_key.created',
    details: `Link passports are signed with the new key ${id}${previous ? `, previously with ${previous.id}` : ''}.`,
    entityType: 'proof_key',
    entityId: id,
  });
  return { id, privateKey };
}

const publicJwk = z.object({ x: z.string() });

/** Returns the 32 bytes of the public key in base64url. */
const getPublicPart = (privateKey: KeyObject) =>
  publicJwk.parse(createPublicKey(privateKey).export({ format: 'jwk' })).x;

/**
 * Returns null for a row that this installation did not write: its private key cannot be decrypted with SECRET_KEYS, or
 * does not belong to its public key and id.
 */
function openSigningKey({ id, publicKey, sealedPrivateKey }: KeyRow): SigningKey | null {
  try {
    const privateKey = createPrivateKey(openSecret(proofKeySlot(id), sealedPrivateKey));
    const isOurs = getPublicPart(privateKey) === publicKey && computeThumbprint(publicKey) === id;
    return isOurs ? { id, privateKey } : null;
  } catch (thrown) {
    if (thrown instanceof UnreadableSecret) return null;
    throw thrown;
  }
}

/** A published key: a JWK with the times of its use in seconds since 1970. */
export const publishedKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
  iat: z.int(),
  exp: z.int().optional(),
});
type PublishedKey = ProofKey & z.output<typeof publishedKey>;

/**
 * Lists the public keys that sign and signed passports, newest first. A row that was written to the database without
 * SECRET_KEYS is left out, because its owner could sign statements in the name of the installation.
 */
export async function listPublishedKeys(tx: Executor = db()): Promise<PublishedKey[]> {
  const rows = await tx.select().from(proofKeys).orderBy(desc(proofKeys.createdAt));
  return rows
    .filter((row) => openSigningKey(row) !== null)
    .map(({ id, publicKey, createdAt, retiredAt }) => ({
      ...({ kty: 'OKP', crv: 'Ed25519', x: publicKey, kid: id, use: 'sig', alg: 'EdDSA' } as const),
      iat: Math.floor(createdAt.getTime() / 1000),
      ...(retiredAt && { exp: Math.ceil(retiredAt.getTime() / 1000) }),
    }));
}

/**
 * Deletes a key whose private key is known to others. Its passports are not valid afterwards. The next one is signed
 * with a new key.
 * @throws Error for an unknown key
 */
export async function withdrawProofKey(keyId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const deleted = await tx.delete(proofKeys).where(eq(proofKeys.id, keyId)).returning({ id: proofKeys.id });
    if (deleted.length === 0) throw new Error(`There is no key "${keyId}" of link passports.`);
    await recordAudit(tx, systemActor(systemActors.keyRotation, 'script'), {
      action: 'proof_key.withdrawn',
      details: `The key ${keyId} of link passports was withdrawn. The passports that it signed are not valid.`,
      entityType: 'proof_key',
      entityId: keyId,
    });
  });
}
