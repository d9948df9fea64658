import { and, asc, eq, isNotNull, like, not, or, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { db, type Executor } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { deliveryProviders } from '@/db/schema/invoice-deliveries';
import { proofKeys } from '@/db/schema/links';
import { mails } from '@/db/schema/mails';
import { paymentConfigs } from '@/db/schema/payment-configs';
import { payoutMethods } from '@/db/schema/payouts';
import { users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { siteWordpress } from '@/db/schema/wordpress';
import type { Transaction } from '@/db/transaction';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { totpSlot } from '@/lib/auth/totp';
import { webhookSecretSlot } from '@/lib/developers/webhooks/secrets';
import { env } from '@/lib/env';
import { deliveryKeySlot } from '@/lib/invoices/delivery/providers';
import { proofKeySlot, replaceSigningKey } from '@/lib/links/passport/keys';
import { mailSlot } from '@/lib/mail/compose';
import { payoutMethodSlot } from '@/lib/payouts/methods/show';
import { recordAudit } from '@/lib/platform/audit/record';
import {
  type KeyRing,
  openSecret,
  parseKeyRing,
  type SecretSlot,
  sealSecret,
  UnreadableSecret,
} from '@/lib/platform/secrets';
import { apiKeySlot } from '@/lib/settings/api-keys';
import { wordpressSlot } from '@/lib/sites/wordpress/client';

/**
 * Encrypts secrets that use an older key again with the first of SECRET_KEYS: payment secrets, API keys, TOTP secrets,
 * the details of payout methods, the secrets of webhook endpoints, the passwords of WordPress, the keys of the providers
 * that deliver documents, the bodies of queued mails and the private keys of link passports. The key that signs passports
 * is also replaced, because a person with the older key could have decrypted it. Afterwards, older keys are only needed for
 * existing backups. Runs in one transaction, is safe while the app runs, and is idempotent.
 */
export async function resealSecrets(ring: KeyRing = parseKeyRing(env().SECRET_KEYS)) {
  const [first] = ring;
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  const keyId = first.id;
  return db().transaction(async (tx) => {
    // Errors of secrets that could not be decrypted: the slot and the key id, never the secret.
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
    const actor = systemActor(systemActors.keyRotation, 'script');
    const signingKeys = await resealProofKeys(tx, reseal, usesOlderKey(proofKeys.sealedPrivateKey, keyId));
    const resealed =
      signingKeys.count +
      (await resealPaymentConfigs(tx, reseal)) +
      (await resealApiKeys(tx, reseal, usesOlderKey(apiKeys.sealedKey, keyId))) +
      (await resealAuthenticators(tx, reseal, usesOlderKey(users.totpSecret, keyId))) +
      (await resealPayoutMethods(tx, reseal, usesOlderKey(payoutMethods.sealedDetails, keyId))) +
      (await resealWebhookSecrets(tx, reseal, keyId)) +
      (await resealWordPress(tx, reseal, usesOlderKey(siteWordpress.sealedPassword, keyId))) +
      (await resealDeliveryProviders(tx, reseal, usesOlderKey(deliveryProviders.sealedKey, keyId))) +
      (await resealMails(tx, reseal, usesOlderKey(mails.sealedBody, keyId)));
    if (resealed > 0) {
      await recordAudit(tx, actor, {
        action: 'secrets.resealed',
        details: `${resealed} stored secrets were encrypted again with the key "${keyId}".`,
        entityType: 'system',
        entityId: keyId,
      });
    }
    const signingKey = signingKeys.isActiveResealed ? await replaceSigningKey(tx, actor, ring) : null;
    return { keyId, resealed, signingKey, unreadable };
  });
}

export type ResealReport = Awaited<ReturnType<typeof resealSecrets>>;

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

/** Encrypts the secrets of rows again, and saves those that changed. @returns their number */
async function resealRows<Row extends { old: string | null }>(
  rows: readonly Row[],
  reseal: (old: string, row: Row) => string,
  save: (sealed: string, row: Row) => PromiseLike<unknown>,
): Promise<number> {
  let count = 0;
  for (const row of rows) {
    if (row.old === null) continue;
    const sealed = reseal(row.old, row);
    if (sealed === row.old) continue;
    count += 1;
    await save(sealed, row);
  }
  return count;
}

async function resealApiKeys(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const rows = await tx
    .select({ id: apiKeys.id, old: apiKeys.sealedKey, updatedAt: apiKeys.updatedAt })
    .from(apiKeys)
    .where(isOlder)
    .orderBy(asc(apiKeys.id))
    .for('update');
  return resealRows(
    rows,
    (old, { id }) => anew(apiKeySlot(id), old),
    (sealedKey, { id, updatedAt }) => tx.update(apiKeys).set({ sealedKey, updatedAt }).where(eq(apiKeys.id, id)),
  );
}

async function resealAuthenticators(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const rows = await tx
    .select({ id: users.id, old: users.totpSecret, updatedAt: users.updatedAt })
    .from(users)
    .where(and(isNotNull(users.totpSecret), isOlder))
    .orderBy(asc(users.id))
    .for('no key update');
  return resealRows(
    rows,
    (old, { id }) => anew(totpSlot(id), old),
    (totpSecret, { id, updatedAt }) => tx.update(users).set({ totpSecret, updatedAt }).where(eq(users.id, id)),
  );
}

/** Encrypts the details of methods again, also of earlier ones, whose payouts may be returned much later. */
async function resealPayoutMethods(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const rows = await tx
    .select({ id: payoutMethods.id, sellerId: payoutMethods.sellerId, old: payoutMethods.sealedDetails })
    .from(payoutMethods)
    .where(isOlder)
    .orderBy(asc(payoutMethods.id))
    .for('update');
  return resealRows(
    rows,
    (old, row) => anew(payoutMethodSlot(row), old),
    (sealedDetails, { id }) => tx.update(payoutMethods).set({ sealedDetails }).where(eq(payoutMethods.id, id)),
  );
}

async function resealWebhookSecrets(tx: Executor, anew: Reseal, keyId: string): Promise<number> {
  const { sealedSecret, sealedPreviousSecret } = webhookEndpoints;
  const rows = await tx
    .select({ id: webhookEndpoints.id, secret: sealedSecret, previous: sealedPreviousSecret })
    .from(webhookEndpoints)
    .where(or(usesOlderKey(sealedSecret, keyId), usesOlderKey(sealedPreviousSecret, keyId)))
    .orderBy(asc(webhookEndpoints.id))
    .for('update');
  let count = 0;
  for (const { id, secret: old, previous: oldPrevious } of rows) {
    const secret = anew(webhookSecretSlot(id, 'secret'), old);
    const previous = oldPrevious === null ? null : anew(webhookSecretSlot(id, 'previous'), oldPrevious);
    const changed = Number(secret !== old) + Number(previous !== oldPrevious);
    if (changed === 0) continue;
    count += changed;
    await tx
      .update(webhookEndpoints)
      .set({ sealedSecret: secret, sealedPreviousSecret: previous })
      .where(eq(webhookEndpoints.id, id));
  }
  return count;
}

async function resealWordPress(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const rows = await tx
    .select({ id: siteWordpress.siteId, old: siteWordpress.sealedPassword })
    .from(siteWordpress)
    .where(isOlder)
    .orderBy(asc(siteWordpress.siteId))
    .for('update');
  return resealRows(
    rows,
    (old, { id }) => anew(wordpressSlot(id), old),
    (sealedPassword, { id }) => tx.update(siteWordpress).set({ sealedPassword }).where(eq(siteWordpress.siteId, id)),
  );
}

async function resealDeliveryProviders(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const { channel, sealedKey, updatedAt } = deliveryProviders;
  const rows = await tx
    .select({ channel, old: sealedKey, updatedAt })
    .from(deliveryProviders)
    .where(isOlder)
    .orderBy(asc(channel))
    .for('update');
  return resealRows(
    rows,
    (old, row) => anew(deliveryKeySlot(row.channel), old),
    (sealed, row) =>
      tx
        .update(deliveryProviders)
        .set({ sealedKey: sealed, updatedAt: row.updatedAt })
        .where(eq(deliveryProviders.channel, row.channel)),
  );
}

async function resealMails(tx: Executor, anew: Reseal, isOlder: SQL): Promise<number> {
  const rows = await tx
    .select({ id: mails.id, old: mails.sealedBody })
    .from(mails)
    .where(and(isNotNull(mails.sealedBody), isOlder))
    .orderBy(asc(mails.id))
    .for('update');
  return resealRows(
    rows,
    (old, { id }) => anew(mailSlot(id), old),
    (sealedBody, { id }) => tx.update(mails).set({ sealedBody }).where(eq(mails.id, id)),
  );
}

async function resealProofKeys(tx: Transaction, anew: Reseal, isOlder: SQL) {
  const rows = await tx.select().from(proofKeys).where(isOlder).orderBy(asc(proofKeys.id)).for('update');
  let count = 0;
  let isActiveResealed = false;
  for (const { id, sealedPrivateKey: old, retiredAt } of rows) {
    const sealedPrivateKey = anew(proofKeySlot(id), old);
    if (sealedPrivateKey === old) continue;
    count += 1;
    isActiveResealed ||= retiredAt === null;
    await tx.update(proofKeys).set({ sealedPrivateKey }).where(eq(proofKeys.id, id));
  }
  return { count, isActiveResealed };
}
