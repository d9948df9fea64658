import { desc, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { eventPositions, type PaymentProviderName, paymentReversals, topups, webhookEvents } from '@/db/schema/topups';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { openProvider } from '@/lib/payments/providers/open-provider';
import type { ListedEvent } from '@/lib/payments/providers/provider';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { catchUpEvents } from '@/lib/payments/webhooks/catch-up';
import { retryNotifications } from '@/lib/payments/webhooks/retry-notifications';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, topupRow, withProviders } from '@/tests/setup/payment-providers';
import { testInTurn } from '@/tests/setup/test-in-turn';

const sandbox = withProviders();
keepSoundBooks();

const amountCents = 10_000;
const dayMs = 24 * 60 * 60 * 1000;
const ways: { provider: PaymentProviderName; pay: string }[] = [
  { provider: 'stripe', pay: 'pay' },
  { provider: 'paypal', pay: 'approve' },
  { provider: 'wechat', pay: 'pay' },
];

/** A checkout without a top-up. */
const checkout = {
  amountMinor: 1_000,
  currency: 'USD',
  description: 'Tea',
  customerEmail: 'buyer@example.com',
  buyer: { ip: '127.0.0.1', isMobile: false },
  successUrl: 'http://127.0.0.1:9/user/wallet?success=1',
  cancelUrl: 'http://127.0.0.1:9/user/wallet',
  expiresAt: new Date(Date.now() + dayMs / 2),
};

/** Otherwise positions and events of earlier tests would be read as well. */
beforeEach(async () => {
  await db().delete(eventPositions);
  await db().delete(webhookEvents);
  await sandbox.control('wechat', { refundNotices: 'none' });
});

const balance = (made: Opened) => getWalletBalance(made.buyer.userId);
const positionOf = async (provider: PaymentProviderName) =>
  (await db().select().from(eventPositions).where(eq(eventPositions.provider, provider)))[0];
const eventsOf = (provider: PaymentProviderName) =>
  db().select().from(webhookEvents).where(eq(webhookEvents.provider, provider));
/** WeChat Pay reports it in a bill, which is written on the next day. */
const makeBilled = async (made: Opened) => {
  if (made.provider === 'wechat') await sandbox.act('wechat', made.reference, 'backdate', { days: 2 });
  // As if the top-up had been created when it was paid.
  const days = made.provider === 'wechat' ? 3 : 1;
  await db()
    .update(topups)
    .set({ createdAt: sql`now() - make_interval(days => ${days})` })
    .where(eq(topups.id, made.id));
};

describe.each(ways)('$provider', ({ provider, pay }) => {
  const itInTurn = testInTurn(provider);
  const openUnnotified = async () => {
    const made = await sandbox.open(provider, amountCents);
    await sandbox.control(provider, { drop: 100 });
    expect(await sandbox.act(provider, made.reference, pay)).toBe(200);
    return made;
  };

  it('credits a payment without a webhook once', async () => {
    const made = await openUnnotified();
    await makeBilled(made);
    expect(await catchUpEvents()).toMatchObject({ failed: 0 });
    expect(await balance(made)).toBe(amountCents);
    expect((await topupRow(made.id)).status).toBe('paid');
    const stored = await eventsOf(provider);
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.every(({ processedAt }) => processedAt !== null)).toBe(true);

    expect((await positionOf(provider))?.error).toBeNull();
    const runs = await Promise.all([catchUpEvents(), catchUpEvents()]);
    expect(runs.map(({ failed }) => failed)).toEqual([0, 0]);
    await sandbox.control(provider, { drop: 0 });
    await sandbox.act(provider, made.reference, 'redeliver');
    expect(await balance(made)).toBe(amountCents);
  });

  it('reverses a refund without a webhook once', async () => {
    const made = await openUnnotified();
    await settleReturn(made.buyer, { topupId: made.id, reference: null });
    expect(await balance(made)).toBe(amountCents);
    await sandbox.act(provider, made.reference, 'refund');
    await makeBilled(made);
    await Promise.all([catchUpEvents(), catchUpEvents()]);
    await catchUpEvents();
    expect(await balance(made)).toBe(0);
    expect((await topupRow(made.id)).status).toBe('refunded');
    expect(await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, made.id))).toHaveLength(1);
  });

  itInTurn('keeps its position while the provider is down, reports the reason, and continues there', async () => {
    const made = await openUnnotified();
    await makeBilled(made);
    await sandbox.control(provider, { api: 'down' });
    expect((await catchUpEvents()).failed).toBeGreaterThan(0);
    expect(await positionOf(provider)).toMatchObject({
      coveredUntil: null,
      checkedAt: null,
      error: expect.stringMatching(/\w/),
    });
    expect(await balance(made)).toBe(0);

    await sandbox.control(provider, { api: 'normal' });
    await catchUpEvents();
    const after = await positionOf(provider);
    expect(after?.error).toBeNull();
    expect(after?.coveredUntil?.getTime()).toBeGreaterThan(Date.now() - 3 * dayMs);
    expect(await balance(made)).toBe(amountCents);

    await sandbox.control(provider, { api: 'down' });
    const later = new Date(Date.now() + 2 * dayMs);
    await catchUpEvents(later);
    const kept = await positionOf(provider);
    expect(kept?.coveredUntil).toEqual(after?.coveredUntil);
    expect(kept).toMatchObject({ checkedAt: after?.checkedAt, error: expect.stringMatching(/\w/), failedAt: later });
  });

  itInTurn('stores an event that cannot be processed, and a retry processes it', async () => {
    const made = await openUnnotified();
    await makeBilled(made);
    await refusing(async () => {
      expect(await catchUpEvents()).toMatchObject({ failed: 0 });
    });
    expect(await balance(made)).toBe(0);
    expect((await eventsOf(provider)).some(({ error }) => error?.includes('not now'))).toBe(true);
    expect((await positionOf(provider))?.coveredUntil).not.toBeNull();
    await db().update(webhookEvents).set({ retryAt: sql`now()` });
    await retryNotifications();
    expect(await balance(made)).toBe(amountCents);
  });
});

/** Until it ends, PostgreSQL rejects every transfer. */
async function refusing(work: () => Promise<void>): Promise<void> {
  const { default: postgres } = await import('postgres');
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await owner.unsafe(`create function public.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not now'; end $$;
    create trigger a_refusal before insert on ledger.transfers for each row execute function public.refuse();`);
  try {
    await work();
  } finally {
    await owner.unsafe('drop function public.refuse() cascade');
    await owner.end();
  }
}

it.each([
  ['stripe', 'expire', 'checkout.session.expired'],
  ['paypal', 'approve', 'CHECKOUT.ORDER.APPROVED'],
] as const)('the event list of %s is read over several pages', async (name, action, type) => {
  await sandbox.control(name, { drop: 1_000 });
  const provider = await openProvider(name);
  for (let index = 0; index < 101; index += 1) {
    const { reference } = await provider.createCheckout({ ...checkout, topupId: newId() });
    await sandbox.act(name, reference, action);
  }
  const pages: ListedEvent[][] = [];
  const list = (from: number, until: number) =>
    provider.eventLog.list(new Date(Date.now() + from), new Date(Date.now() + until));
  for await (const page of list(-60_000, 60_000)) pages.push(page);
  expect(pages.map(({ length }) => length)).toEqual([100, 1]);
  expect(new Set(pages.flat().map(({ eventId }) => eventId)).size).toBe(101);
  expect(pages.flat().every((event) => event.type === type && event.topupId === null)).toBe(true);
  for await (const page of list(-180_000, -120_000)) expect(page).toEqual([]);
});

it('reads a long outage one day at a time, and continues where a run ended', async () => {
  const made = await sandbox.open('stripe', amountCents);
  await sandbox.control('stripe', { drop: 1_000 });
  await sandbox.act('stripe', made.reference, 'pay');
  const coveredUntil = new Date(Date.now() - 5 * dayMs);
  await db().insert(eventPositions).values({ provider: 'stripe', mode: 'test', coveredUntil });
  expect((await catchUpEvents(new Date(coveredUntil.getTime() + dayMs / 2))).failed).toBe(0);
  expect((await positionOf('stripe'))?.coveredUntil?.getTime()).toBe(coveredUntil.getTime() + dayMs / 2);
  expect(await balance(made)).toBe(0);
  await catchUpEvents();
  expect(await balance(made)).toBe(amountCents);
});

it('reports an outage longer than the provider keeps its events', async () => {
  const made = await sandbox.open('stripe', amountCents);
  await db()
    .insert(eventPositions)
    .values({ provider: 'stripe', mode: 'test', coveredUntil: new Date(Date.now() - 40 * dayMs) });
  await sandbox.act('stripe', made.reference, 'pay');
  await catchUpEvents();
  await catchUpEvents();
  expect(await balance(made)).toBe(amountCents);
  const audited = await db().select().from(auditLogs).where(eq(auditLogs.action, 'payments.events_missed'));
  expect(audited).toHaveLength(1);
  expect(audited[0]?.details).toContain('Check refunds and disputes');
});

describe('WeChat Pay bills', () => {
  const billed = async (action: string, fields = {}) => {
    const made = await sandbox.open('wechat', amountCents);
    await sandbox.act('wechat', made.reference, 'pay');
    await sandbox.act('wechat', made.reference, 'deliver');
    expect(await balance(made)).toBe(amountCents);
    await sandbox.act('wechat', made.reference, action, fields);
    await makeBilled(made);
    return made;
  };

  it('reverse a refund of the merchant platform, which sends no notification', async () => {
    const made = await billed('refund', { amount: 300 });
    await sandbox.act('wechat', made.reference, 'deliver');
    expect(await balance(made)).toBe(amountCents);
    await catchUpEvents();
    const [reversal] = await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, made.id));
    expect(reversal).toMatchObject({ kind: 'refund', money: 'taken', amountMinor: 300 });
    expect(await balance(made)).toBe(amountCents - (reversal?.amountCents ?? 0));
  });

  it('ask again each day about a pending refund until it succeeds', async () => {
    const made = await billed('refund-slowly');
    await catchUpEvents();
    expect(await balance(made)).toBe(amountCents);
    await sandbox.act('wechat', made.reference, 'refund-arrives');
    await catchUpEvents();
    expect(await balance(made)).toBe(amountCents);
    // Reads the next day's bill, and the previous ones once more.
    await db().update(eventPositions).set({ coveredUntil: sql`covered_until - interval '1 day'` });
    await catchUpEvents();
    expect(await balance(made)).toBe(0);
  });

  it('are rejected when their hash differs from the announced one', async () => {
    const made = await billed('refund');
    await sandbox.control('wechat', { bills: 'corrupt' });
    expect(await catchUpEvents()).toMatchObject({ failed: 1 });
    expect((await positionOf('wechat'))?.error).toContain('hash');
    expect(await balance(made)).toBe(amountCents);
    await sandbox.control('wechat', { bills: 'normal' });
    await catchUpEvents();
    expect(await balance(made)).toBe(0);
  });

  it('ignore other shops of the same merchant', async () => {
    const ours = await billed('refund');
    const foreign = newId();
    const provider = await openProvider('wechat', 'test');
    await provider.createCheckout({ ...checkout, topupId: foreign, currency: 'CNY' });
    for (const action of ['pay', 'refund', 'backdate']) await sandbox.act('wechat', foreign, action, { days: 2 });
    await catchUpEvents();
    const payloads = JSON.stringify((await eventsOf('wechat')).map(({ payload }) => payload));
    expect(payloads).toContain(ours.id);
    expect(payloads).not.toContain(foreign);
  });

  it('are read once a day: a second run requests none', async () => {
    await billed('refund');
    await catchUpEvents();
    const [first] = await db().select().from(webhookEvents).orderBy(desc(webhookEvents.id)).limit(1);
    await sandbox.control('wechat', { api: 'down' });
    expect(await catchUpEvents()).toMatchObject({ failed: 0 });
    const [last] = await db().select().from(webhookEvents).orderBy(desc(webhookEvents.id)).limit(1);
    expect(last?.id).toBe(first?.id);
    expect(await db().select().from(eventPositions).where(eq(eventPositions.provider, 'wechat'))).toHaveLength(1);
  });
});
