import { and, asc, eq, isNotNull, like, not, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { db, type Executor } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { mails } from '@/db/schema/mails';
import { paymentConfigs } from '@/db/schema/payment-configs';
import { users } from '@/db/schema/users';
import { systemActor } from '../access/actor';
import { totpSlot } from '../auth/totp';
import { env } from '../env';
import { mailSlot } from '../mail/sealed-body';
import { recordAudit } from '../platform/audit/record';
import {
  type KeyRing,
  openSecret,
  parseKeyRing,
  type SecretSlot,
  sealSecret,
  UnreadableSecret,
} from '../platform/secrets';
import { apiKeySlot } from '../settings/api-keys/read-api-key';

export type ResealReport = {
  /** The id of the current key: the first of SECRET_KEYS. */
  keyId: string;
  /** The number of secrets encrypted again. */
  resealed: number;
  /** Errors of secrets that could not be decrypted: the slot and the key id, never the secret. */
  unreadable: string[];
};

/**
 * Encrypts secrets that use an older key again with the first of SECRET_KEYS: payment secrets, API keys, TOTP secrets and
 * the bodies of queued mails. Afterwards, older keys are only needed for existing backups. Runs in one transaction, is
 * safe while the app runs, and is idempotent.
 */
export async function resealSecrets(ring: KeyRing = parseKeyRing(env().SECRET_KEYS)): Promise<ResealReport> {
  const [first] = ring;
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  const keyId = first.id;
  return db().transaction(async (tx) => {
    const unreadable: string[] = [];
    const reseal = (slot: SecretSlot, sealed: string): string => {
      if (sealed.startsWith(`v1.${keyId}.`)) return sealed;
      try {
        return sealSecret(slot, openSecret(slot, sealed, ring), ring);
      } catch (thrown) {
        if (!(thrown instanceof UnreadableSecret)) throw thrown;
        unreadable.push(thrown.message);
        return sealed;
      }
    };
    const resealed =
      (await resealPaymentConfigs(tx, reseal)) +
      (await resealApiKeys(tx, reseal, usesOlderKey(apiKeys.sealedKey, keyId))) +
      (await resealAuthenticators(tx, reseal, usesOlderKey(users.totpSecret, keyId))) +
      (await resealMails(tx, reseal, usesOlderKey(mails.sealedBody, keyId)));
    if (resealed > 0) {
      await recordAudit(tx, systemActor('Key rotation', 'script'), {
        action: 'secrets.resealed',
        details: `${resealed} stored secrets were encrypted again with the key "${keyId}".`,
        entityType: 'system',
        entityId: keyId,
      });
    }
    return { keyId, resealed, unreadable };
  });
}

type Reseal = (slot: SecretSlot, sealed: string) => string;

const usesOlderKey = (column: PgColumn, keyId: string): SQL => not(like(column, `v1.${keyId}.%`));

async function resealPaymentConfigs(tx: Executor, anew: Reseal): Promise<number> {
  const rows = await tx
    .select()
    .from(paymentConfigs)
    .orderBy(asc(paymentConfigs.provider), asc(paymentConfigs.mode))
    .for('update');
  let count = 0;
  for (const { provider, mode, secrets, updatedAt } of rows) {
    const entries = Object.entries(secrets).map(
      ([field, sealed]) => [field, anew({ provider, mode, field }, sealed)] as const,
    );
    const changed = entries.filter(([field, sealed]) => sealed !== secrets[field]).length;
    count += changed;
    if (changed === 0) continue;
    // Keeps `updatedAt`, which records when an admin entered the values.
    await tx
      .update(paymentConfigs)
      .set({ secrets: Object.fromEntries(entries), updatedAt })
      .where(and(eq(paymentConfigs.provider, provider), eq(paymentConfigs.mode, mode)));
  }
  return count;
}

async function resealApiKeys(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const rows = await tx.select().from(apiKeys).where(isOlder).orderBy(asc(apiKeys.id)).for('update');
  let count = 0;
  for (const { id, sealedKey: old, updatedAt } of rows) {
    const sealedKey = anew(apiKeySlot(id), old);
    if (sealedKey === old) continue;
    count += 1;
    await tx.update(apiKeys).set({ sealedKey, updatedAt }).where(eq(apiKeys.id, id));
  }
  return count;
}

async function resealAuthenticators(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const rows = await tx
    .select({ id: users.id, old: users.totpSecret, updatedAt: users.updatedAt })
    .from(users)
    .where(and(isNotNull(users.totpSecret), isOlder))
    .orderBy(asc(users.id))
    .for('no key update');
  let count = 0;
  for (const { id, old, updatedAt } of rows) {
    if (old === null) continue;
    const totpSecret = anew(totpSlot(id), old);
    if (totpSecret === old) continue;
    count += 1;
    await tx.update(users).set({ totpSecret, updatedAt }).where(eq(users.id, id));
  }
  return count;
}

async function resealMails(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const rows = await tx
    .select({ id: mails.id, old: mails.sealedBody })
    .from(mails)
    .where(and(isNotNull(mails.sealedBody), isOlder))
    .orderBy(asc(mails.id))
    .for('update');
  let count = 0;
  for (const { id, old } of rows) {
    if (old === null) continue;
    const sealedBody = anew(mailSlot(id), old);
    if (sealedBody === old) continue;
    count += 1;
    await tx.update(mails).set({ sealedBody }).where(eq(mails.id, id));
  }
  return count;
}
