import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { paymentConfigs, paymentModes } from '@/db/schema/payment-configs';
import { topups } from '@/db/schema/topups';
import { type Actor, systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { findPaymentConfig, savePaymentConfig } from '@/lib/payments/config/config';
import { listOfferedProviders } from '@/lib/payments/providers/open-provider';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { createTopup } from '@/lib/payments/top-ups/create';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { configureStripe, returnOf, topupOf, withSandbox } from '@/tests/setup/stripe-sandbox';

const sandbox = withSandbox();
const input = { provider: 'stripe' as const, amountCents: 10_000, returnUrl: '/user/wallet' };
const script = systemActor('Tests', 'script');

const topupsOf = (userId: string) => db().select().from(topups).where(eq(topups.accountId, userId));

describe('starting a top-up', () => {
  it("stores the intent, creates one checkout of exactly that amount, and stores Stripe's response", async () => {
    const buyer = await makeUser();
    const before = Date.now();
    const { id, url } = await createTopup(buyer, { ...input, amountCents: 12_345 });
    const topup = await topupOf(id);
    expect(topup).toMatchObject({
      accountId: buyer.userId,
      status: 'pending',
      mode: 'test',
      amountCents: 12_345,
      chargeAmountMinor: 12_345,
      currency: 'USD',
      chargeCurrency: 'USD',
      checkoutUrl: url,
      paymentReference: null,
    });
    const session = await sandbox.session(topup.providerReference ?? '');
    expect(session).toMatchObject({
      amount_total: 12_345,
      currency: 'usd',
      client_reference_id: id,
      metadata: { topup_id: id },
      customer_email: buyer.email,
      success_url: `http://localhost:3000/user/wallet?success=1&topup=${id}&session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `http://localhost:3000/user/wallet?cancelled=1&topup=${id}`,
      expires_at: Math.floor(topup.expiresAt.getTime() / 1000),
    });
    expect(topup.expiresAt.getTime() - before).toBeGreaterThan(30 * 60 * 1000);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
  });

  it.each([
    { ...input, returnUrl: 'https://evil.example.com/' },
    { ...input, returnUrl: '//evil.example.com/' },
    { ...input, amountCents: 99 },
    { ...input, amountCents: 150.5 },
    { ...input, amountCents: 10_000_001 },
  ])('rejects $returnUrl with $amountCents cents before anything is written', async (wrong) => {
    const buyer = await makeUser();
    await expect(createTopup(buyer, wrong)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await topupsOf(buyer.userId)).toEqual([]);
  });

  it.each(['down', 'garbage', 'error'])('returns an error when Stripe is %s, and stores the reason', async (api) => {
    await sandbox.control('/controls/stripe', { api });
    const buyer = await makeUser();
    await expect(createTopup(buyer, input)).rejects.toMatchObject({ code: 'provider_failed' });
    const [topup] = await topupsOf(buyer.userId);
    expect(topup?.status).toBe('failed');
    expect(topup?.reason).toMatch(/^Stripe\w*Error: /);
    const log = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, topup?.id ?? ''));
    expect(log.map((entry) => entry.action)).toEqual(['topup.created', 'topup.failed']);
  });

  it('credits a checkout whose creation got no response, once it is paid', async () => {
    await sandbox.control('/controls/stripe', { api: 'lost' });
    const buyer = await makeUser();
    await expect(createTopup(buyer, input)).rejects.toMatchObject({ code: 'provider_failed' });
    await sandbox.control('/controls/stripe', { api: 'normal' });
    const [topup] = await topupsOf(buyer.userId);
    const id = topup?.id ?? '';
    const sessionId = await sandbox.onlySession();
    await sandbox.decide(sessionId, 'pay');
    expect((await settleReturn(buyer, returnOf(id, sessionId))).status).toBe('paid');
    expect(await topupOf(id)).toMatchObject({ providerReference: sessionId, reason: 'Paid although it was failed.' });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    await expectSoundBooks();
  });
});

describe('an Idempotency-Key', () => {
  const sessions = async (userId: string) => (await topupsOf(userId)).map(({ providerReference }) => providerReference);

  it('returns the first intent to a repeat in any state, without a second checkout', async () => {
    const buyer = await makeUser();
    const key = newId();
    const first = await createTopup(buyer, input, key);
    expect(await createTopup(buyer, { ...input, isMobile: true }, key)).toEqual(first);
    await sandbox.decide(await sandbox.onlySession(), 'pay');
    await settleReturn(buyer, returnOf(first.id, await sandbox.onlySession()));
    expect(await createTopup(buyer, input, key)).toEqual(first);
    expect(await topupsOf(buyer.userId)).toHaveLength(1);
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });

  it.each([
    ['another amount', { ...input, amountCents: 10_001 }],
    ['another return page', { ...input, returnUrl: '/user/orders' }],
    ['another cancel page', { ...input, cancelUrl: '/user/orders' }],
    ['another provider', { ...input, provider: 'paypal' as const }],
  ])('is rejected with %s', async (_, other) => {
    const buyer = await makeUser();
    const key = newId();
    await createTopup(buyer, input, key);
    await expect(createTopup(buyer, other, key)).rejects.toMatchObject({
      code: 'conflict',
      details: { fields: { idempotencyKey: expect.any(String) } },
    });
    expect(await topupsOf(buyer.userId)).toHaveLength(1);
  });

  it('belongs to one user', async () => {
    const [one, other] = [await makeUser(), await makeUser()];
    const key = newId();
    expect((await createTopup(one, input, key)).id).not.toBe((await createTopup(other, input, key)).id);
  });

  it('creates one intent and one checkout for concurrent calls, and rejects another request', async () => {
    const buyer = await makeUser();
    const key = newId();
    const answers = await Promise.all(Array.from({ length: 8 }, () => createTopup(buyer, input, key)));
    expect(new Set(answers.map(({ url }) => url)).size).toBe(1);
    expect(await sessions(buyer.userId)).toEqual([await sandbox.onlySession()]);
    const mixed = newId();
    const others = await Promise.allSettled(
      [100, 200, 300, 400].map((amountCents) => createTopup(buyer, { ...input, amountCents }, mixed)),
    );
    expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await topupsOf(buyer.userId)).toHaveLength(2);
  });

  it("resumes an intent whose process died before the provider's response was stored", async () => {
    const buyer = await makeUser();
    const key = newId();
    const first = await createTopup(buyer, input, key);
    const asBefore = { status: 'created' as const, providerReference: null, checkoutUrl: null };
    await db().update(topups).set(asBefore).where(eq(topups.id, first.id));
    expect(await createTopup(buyer, input, key)).toEqual(first);
    expect(await sessions(buyer.userId)).toEqual([await sandbox.onlySession()]);
  });

  const auditOf = async (id: string) =>
    (await db().select().from(auditLogs).where(eq(auditLogs.entityId, id))).map(({ action }) => action);
  const onlyTopup = async (userId: string) => {
    const [only, ...others] = await topupsOf(userId);
    if (!only || others.length > 0) throw new Error('There is not exactly one top-up.');
    return only;
  };
  /** A call whose checkout Stripe has created, with a response later than a refused repeat takes. */
  const startSlowly = async (buyer: Actor, key: string) => {
    await sandbox.control('/controls/stripe', { slowMs: 6_000 });
    const first = createTopup(buyer, input, key);
    await expect.poll(() => sandbox.onlySession().catch(() => null), { timeout: 5_000 }).not.toBeNull();
    return { first };
  };

  it('makes repeats wait while Stripe processes the first call', async () => {
    const buyer = await makeUser();
    const key = newId();
    const { first } = await startSlowly(buyer, key);
    const busy = { code: 'conflict', message: expect.stringContaining('wait a moment') };
    await Promise.all([1, 2].map(() => expect(createTopup(buyer, input, key)).rejects.toMatchObject(busy)));
    expect(await onlyTopup(buyer.userId)).toMatchObject({ status: 'created', idempotencyKey: key, reason: null });
    const made = await first;
    const topup = await onlyTopup(buyer.userId);
    expect(topup).toMatchObject({ id: made.id, status: 'pending', checkoutUrl: made.url });
    expect(topup.nextCheckAt).not.toBeNull();
    expect(await auditOf(made.id)).toEqual(['topup.created']);
    expect(await createTopup(buyer, input, key)).toEqual(made);
  });

  it('reopens an intent that was marked failed before its checkout was known', async () => {
    const buyer = await makeUser();
    const { first } = await startSlowly(buyer, newId());
    await db()
      .update(topups)
      .set({ status: 'failed', reason: 'No answer', nextCheckAt: null })
      .where(eq(topups.accountId, buyer.userId));
    const { url } = await first;
    const topup = await onlyTopup(buyer.userId);
    expect(topup).toMatchObject({ status: 'pending', reason: null, checkoutUrl: url });
    expect(topup.nextCheckAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it('keeps its intent when the first call fails during a repeat', async () => {
    const buyer = await makeUser();
    const key = newId();
    await sandbox.control('/controls/stripe', { api: 'error', slowMs: 2_500 });
    const first = expect(createTopup(buyer, input, key)).rejects.toMatchObject({ code: 'provider_failed' });
    await expect.poll(() => topupsOf(buyer.userId), { timeout: 2_500 }).toHaveLength(1);
    await expect(createTopup(buyer, input, key)).rejects.toThrow();
    await first;
    await sandbox.control('/controls/stripe', { api: 'normal', slowMs: 0 });
    const { id, status } = await onlyTopup(buyer.userId);
    expect(status).toBe('created');
    expect(await auditOf(id)).toEqual(['topup.created']);
    expect((await createTopup(buyer, input, key)).id).toBe(id);
    expect((await onlyTopup(buyer.userId)).status).toBe('pending');
  });

  it('keeps its intent when a repeat fails, because another call may still be waiting', async () => {
    const buyer = await makeUser();
    const key = newId();
    const first = await createTopup(buyer, input, key);
    const asBefore = { status: 'created' as const, providerReference: null, checkoutUrl: null };
    await db().update(topups).set(asBefore).where(eq(topups.id, first.id));
    await sandbox.control('/controls/stripe', { api: 'down' });
    await expect(createTopup(buyer, input, key)).rejects.toMatchObject({ code: 'provider_failed' });
    expect(await onlyTopup(buyer.userId)).toMatchObject({ status: 'created', idempotencyKey: key });
    await sandbox.control('/controls/stripe', { api: 'normal' });
    expect(await createTopup(buyer, input, key)).toEqual(first);
  });

  it('can be reused when too little time is left for a checkout of its intent', async () => {
    const buyer = await makeUser();
    const key = newId();
    const { id } = await createTopup(buyer, input, key);
    const expiresAt = new Date(Date.now() + 30 * 60 * 1000);
    const unmade = { status: 'created' as const, providerReference: null, checkoutUrl: null, expiresAt };
    await db().update(topups).set(unmade).where(eq(topups.id, id));
    const made = await createTopup(buyer, { ...input, amountCents: 20_000 }, key);
    expect(made.id).not.toBe(id);
    expect(await topupOf(id)).toMatchObject({ status: 'created', idempotencyKey: null });
    expect(await topupOf(made.id)).toMatchObject({ status: 'pending', idempotencyKey: key });
  });

  it('can be reused when the provider created no checkout', async () => {
    const buyer = await makeUser();
    const key = newId();
    await sandbox.control('/controls/stripe', { api: 'down' });
    await expect(createTopup(buyer, input, key)).rejects.toMatchObject({ code: 'provider_failed' });
    await sandbox.control('/controls/stripe', { api: 'normal' });
    const made = await createTopup(buyer, input, key);
    expect(await createTopup(buyer, input, key)).toEqual(made);
    expect((await topupsOf(buyer.userId)).map(({ status }) => status).sort()).toEqual(['failed', 'pending']);
  });
});

describe('the configuration', () => {
  it('is stored encrypted, changed by field, and audited without values', async () => {
    const secret = 'sk_test_rotated_0123';
    await savePaymentConfig(script, { provider: 'stripe', mode: 'test', secrets: { secret_key: secret } });
    const config = await findPaymentConfig('stripe', 'test');
    expect(config?.secrets).toEqual({ secret_key: secret, webhook_secret: 'whsec_domain_tests' });
    expect(config?.fields).toEqual({ publishable_key: 'pk_test_domain_tests' });
    const [row] = await db().select().from(paymentConfigs);
    expect(row?.secrets.secret_key).toMatch(/^v1\.k1\./);
    const log = await db().select().from(auditLogs).where(eq(auditLogs.action, 'payments.configured'));
    expect(JSON.stringify([row, log])).not.toContain(secret);
    expect(log.at(-1)?.details).toBe('stripe set to test mode; changed: secret_key.');
    await configureStripe();
  });

  it('rejects a live key in test mode, so that the sandbox never gets one', async () => {
    const keys = { secret_key: 'sk_live_0123456789', webhook_secret: 'whsec_1' };
    await savePaymentConfig(script, { provider: 'stripe', mode: 'test', secrets: keys });
    const buyer = await makeUser();
    await expect(createTopup(buyer, input)).rejects.toMatchObject({ code: 'not_configured' });
    expect(await topupsOf(buyer.userId)).toEqual([]);
    await configureStripe();
  });

  it('offers a provider only with an active mode and all secrets', async () => {
    expect(await listOfferedProviders()).toEqual([{ name: 'stripe', isLive: false }]);
    await db().update(paymentConfigs).set({ secrets: {} });
    expect(await listOfferedProviders()).toEqual([]);
    await configureStripe();
    await db().delete(paymentModes);
    expect(await listOfferedProviders()).toEqual([]);
    await expect(createTopup(await makeUser(), input)).rejects.toMatchObject({ code: 'not_configured' });
    await configureStripe();
  });
});
