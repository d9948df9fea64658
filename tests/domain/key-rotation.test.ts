import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { createElement } from 'react';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { auditLogs } from '@/db/schema/audit';
import { deliveryProviders } from '@/db/schema/invoice-deliveries';
import { mails } from '@/db/schema/mails';
import { paymentConfigs } from '@/db/schema/payment-configs';
import { payoutMethods } from '@/db/schema/payouts';
import { users } from '@/db/schema/users';
import { siteWordpress } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { totpSlot } from '@/lib/auth/totp';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { deliveryKeySlot, saveProvider } from '@/lib/invoices/delivery/providers';
import { openBody, queueMail } from '@/lib/mail/compose';
import { savePaymentConfig } from '@/lib/payments/config/config';
import { payoutMethodSlot } from '@/lib/payouts/methods/show';
import { openSecret, parseKeyRing, sealSecret } from '@/lib/platform/secrets';
import { apiKeySlot, createApiKey } from '@/lib/settings/api-keys';
import { wordpressSlot } from '@/lib/sites/wordpress/client';
import { resealSecrets } from '@/lib/workflows/reseal-secrets';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const newKey = `k2:${randomBytes(32).toString('base64')}`;
const both = parseKeyRing(`${newKey},${env().SECRET_KEYS}`);
const newOnly = parseKeyRing(newKey);

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
  await savePaymentConfig(admin, {
    provider: 'stripe',
    mode: 'test',
    secrets: { secret_key: 'sk_test_kept', webhook_secret: 'whsec_kept' },
  });
  await createApiKey(admin, { name: 'Texts', provider: 'OpenAI', key: 'sk-proj-kept-9xQz' });
  const totpSecret = sealSecret(totpSlot(admin.userId), 'JBSWY3DPEHPK3PXP');
  await db().update(users).set({ totpSecret }).where(eq(users.id, admin.userId));
  // An earlier method and the current one.
  for (const replacedAt of [new Date(), null]) {
    const slot = { id: newId(), sellerId: admin.userId };
    const sealedDetails = sealSecret(payoutMethodSlot(slot), 'iban kept');
    await db()
      .insert(payoutMethods)
      .values({ ...slot, kind: 'bank', sealedDetails, usableAt: new Date(), replacedAt });
  }
  const siteId = await makeSite(admin.userId, 100);
  await db()
    .insert(siteWordpress)
    .values({
      ...{ siteId, ownerId: admin.userId, host: 'blog.example.com', apiRoot: 'https://blog.example.com/wp-json/' },
      ...{ username: 'author', authorId: 7, roles: ['author'], passwordUuid: 'u' },
      sealedPassword: sealSecret(wordpressSlot(siteId), 'word press kept'),
    });
  await saveProvider(admin, {
    ...{ channel: 'ksef', isOn: false, url: 'https://ksef.example.com', key: 'access-kept', version: 0 },
  });
  const body = () => createElement('p', null, 'https://x.example/reset?token=kept');
  await queueMail(db(), { kind: 'test', to: admin.email, subject: 'Set a new password', body });
});

const stored = async () => {
  const [config] = await db().select().from(paymentConfigs);
  const [key] = await db().select().from(apiKeys);
  const [person] = await db().select().from(users).where(eq(users.id, admin.userId));
  const methods = await db().select().from(payoutMethods).orderBy(payoutMethods.id);
  const [mail] = await db().select().from(mails).where(eq(mails.kind, 'test'));
  const [wordpress] = await db().select().from(siteWordpress);
  const [provider] = await db().select().from(deliveryProviders);
  if (!config || !key || !mail?.sealedBody || !person?.totpSecret || !wordpress?.sealedPassword || !provider)
    throw new Error('Something that was stored is gone.');
  const wordpressPassword = { siteId: wordpress.siteId, sealed: wordpress.sealedPassword };
  return {
    ...{ wordpressPassword, provider },
    config,
    key,
    person,
    totpSecret: person.totpSecret,
    methods,
    mail,
    sealedBody: mail.sealedBody,
  };
};
/**
 * Two payment secrets, an API key, a two-step secret, two payout methods, a password of WordPress, the key of a
 * provider, and the body of each mail; changed payment keys send mail too.
 */
const countSecrets = async () => 8 + (await db().$count(mails));
const lines = () => db().select().from(auditLogs).where(eq(auditLogs.action, 'secrets.resealed'));

it('a new first key seals every stored secret again, and the old key can be removed', async () => {
  const before = await stored();
  const reports = await Promise.all([resealSecrets(both), resealSecrets(both)]);
  expect(reports.map(({ resealed }) => resealed).sort()).toEqual([0, await countSecrets()]);
  expect(reports.flatMap(({ unreadable }) => unreadable)).toEqual([]);

  const { wordpressPassword, provider, config, key, person, totpSecret, methods, mail, sealedBody } = await stored();
  const { siteId, sealed } = wordpressPassword;
  expect(openSecret(wordpressSlot(siteId), sealed, newOnly)).toBe('word press kept');
  expect(openSecret(deliveryKeySlot('ksef'), provider.sealedKey, newOnly)).toBe('access-kept');
  const opened = Object.entries(config.secrets).map(([field, sealed]) =>
    openSecret({ provider: 'stripe', mode: 'test', field }, sealed, newOnly),
  );
  expect(opened.sort()).toEqual(['sk_test_kept', 'whsec_kept']);
  expect(openSecret(apiKeySlot(key.id), key.sealedKey, newOnly)).toBe('sk-proj-kept-9xQz');
  expect(openSecret(totpSlot(admin.userId), totpSecret, newOnly)).toBe('JBSWY3DPEHPK3PXP');
  for (const method of methods)
    expect(openSecret(payoutMethodSlot(method), method.sealedDetails, newOnly)).toBe('iban kept');
  expect(openBody(mail.id, sealedBody, newOnly).text).toContain('token=kept');
  // No user edited anything, so an open form is not stale.
  expect([config.updatedAt, key.updatedAt, key.keySetAt, person.updatedAt, person.version]).toEqual([
    before.config.updatedAt,
    before.key.updatedAt,
    before.key.keySetAt,
    before.person.updatedAt,
    before.person.version,
  ]);
  expect(await lines()).toMatchObject([
    { details: `${await countSecrets()} stored secrets were encrypted again with the key "k2".` },
  ]);
});

it('names a secret whose key is missing from the ring, and leaves it unchanged', async () => {
  const third = parseKeyRing(`k3:${randomBytes(32).toString('base64')}`);
  const before = await stored();
  const { resealed, unreadable } = await resealSecrets(third);
  expect(resealed).toBe(0);
  expect(unreadable).toHaveLength(await countSecrets());
  expect(unreadable.join()).toContain('needs the key "k2", which is not in SECRET_KEYS');
  expect(unreadable.join()).not.toContain('kept');
  expect(await stored()).toEqual(before);
});
