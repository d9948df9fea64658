import { and, desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { type PaymentProviderName, paymentReversals, webhookEvents } from '@/db/schema/topups';
import { newId } from '@/lib/ids';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, topupRow, withProviders } from '@/tests/setup/payment-providers';

// A signature proves only that the sender knows the signing secret. Each of these events has a valid signature, and the
// provider does not know its content.
const sandbox = withProviders({ storesState: true });
keepSoundBooks();

const payload = z.record(z.string(), z.unknown());

async function credited(provider: PaymentProviderName): Promise<Opened> {
  const made = await sandbox.open(provider, 10_000);
  await sandbox.act(provider, made.reference, provider === 'paypal' ? 'approve' : 'pay');
  await settleReturn(made.buyer, { topupId: made.id, reference: null });
  await deliver(made);
  return made;
}

async function deliver({ provider, reference }: Opened): Promise<void> {
  await sandbox.act(provider, reference, 'deliver');
  await sandbox.act(provider, reference, 'deliver');
}

/** All balances: of these buyers, and of every account of the ledger. */
async function moneyOf(...all: Opened[]) {
  const wallets = await Promise.all(
    all.map(async ({ buyer }) => [await getWalletBalance(buyer.userId), await getOwedCents(buyer.userId)]),
  );
  return { wallets, totals: (await verifyBooks()).totals };
}

/** The text of the newest event of a type that the provider sent. */
async function genuine(provider: PaymentProviderName, type: string): Promise<string> {
  const [row] = await db()
    .select()
    .from(webhookEvents)
    .where(and(eq(webhookEvents.provider, provider), eq(webhookEvents.type, type)))
    .orderBy(desc(webhookEvents.id))
    .limit(1);
  if (!row) throw new Error(`${provider} sent no ${type}`);
  return JSON.stringify(row.payload);
}

/** The same event about other objects, with its own id. */
function rewritten(text: string, changes: readonly (readonly [string, string])[]): Record<string, unknown> {
  const changed = changes.reduce((before, [from, to]) => before.replaceAll(from, to), text);
  return { ...payload.parse(JSON.parse(changed)), id: `evt_${newId()}` };
}

const reversalOf = async (topupId: string) => {
  const [row] = await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, topupId));
  if (!row) throw new Error(`The top-up ${topupId} was not reversed.`);
  return row;
};

/** The Stripe charge of a payment. */
async function chargeOf({ id }: Opened): Promise<string> {
  const path = `/v1/payment_intents/${(await topupRow(id)).paymentReference}`;
  const headers = { authorization: 'Bearer sk_test_provider_tests' };
  const intent: unknown = await (await fetch(`${process.env.STRIPE_BASE_URL}${path}`, { headers })).json();
  return z.object({ latest_charge: z.string() }).parse(intent).latest_charge;
}

/** Sends each event twice, and expects that no money moves. */
async function expectNothingFrom(
  provider: PaymentProviderName,
  events: readonly Record<string, unknown>[],
  money: () => Promise<unknown>,
): Promise<void> {
  const before = await money();
  for (const event of events) {
    await sandbox.invent(provider, event);
    await sandbox.invent(provider, { ...event, id: `evt_${newId()}` });
    expect(await money(), JSON.stringify(event)).toEqual(before);
  }
}

describe('stripe: an invented event', () => {
  it('about a payment credits nothing', async () => {
    const paid = await credited('stripe');
    const open = await sandbox.open('stripe', 10_000);
    const text = await genuine('stripe', 'checkout.session.completed');
    const own = [
      [paid.id, open.id],
      [(await topupRow(paid.id)).paymentReference ?? '', 'pi_invented'],
    ] as const;
    const forOpen = rewritten(text, [...own, [paid.reference, open.reference]]);
    const forInvented = rewritten(text, [...own, [paid.reference, 'cs_test_invented']]);
    const types = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];
    const events = [forOpen, forInvented].flatMap((event) => types.map((type) => ({ ...event, type })));
    await expectNothingFrom('stripe', events, () => moneyOf(paid, open));
    expect((await topupRow(open.id)).status).toBe('pending');
  });

  it('about a refund or a dispute debits nothing', async () => {
    const refunded = await credited('stripe');
    const disputed = await credited('stripe');
    const victim = await credited('stripe');
    await sandbox.act('stripe', refunded.reference, 'refund', { amount: 4_000 });
    await sandbox.act('stripe', disputed.reference, 'dispute');
    await Promise.all([refunded, disputed].map(deliver));
    const { reference: dispute } = await reversalOf(disputed.id);
    const charge = await chargeOf(victim);
    const chargeEvent = rewritten(await genuine('stripe', 'charge.refunded'), [
      [await chargeOf(refunded), await chargeOf(victim)],
    ]);
    const disputeEvent = rewritten(await genuine('stripe', 'charge.dispute.funds_withdrawn'), [
      [dispute, 'du_invented'],
      [await chargeOf(disputed), await chargeOf(victim)],
    ]);
    const refundObject = { id: 're_invented', object: 'refund', amount: 4_000, currency: 'usd', status: 'succeeded' };
    const refundEvents = ['refund.created', 'refund.updated', 'charge.refund.updated', 'refund.failed'].map((type) => ({
      ...{ id: `evt_${newId()}`, object: 'event', type, livemode: false },
      data: { object: { ...refundObject, charge } },
    }));
    const types = ['created', 'updated', 'closed', 'funds_withdrawn'].map((what) => `charge.dispute.${what}`);
    const events = [chargeEvent, ...refundEvents, ...types.map((type) => ({ ...disputeEvent, type }))];
    await expectNothingFrom('stripe', events, () => moneyOf(refunded, disputed, victim));
  });

  it('about a failed refund or a won dispute credits nothing', async () => {
    const refunded = await credited('stripe');
    const disputed = await credited('stripe');
    await sandbox.act('stripe', refunded.reference, 'refund', { amount: 4_000 });
    await sandbox.act('stripe', disputed.reference, 'dispute');
    await Promise.all([refunded, disputed].map(deliver));
    expect((await moneyOf(refunded, disputed)).wallets).toEqual([
      [6_000, 0],
      [0, 0],
    ]);
    const { reference: id } = await reversalOf(refunded.id);
    const charge = await chargeOf(refunded);
    const failed = (type: string, status: string) => ({
      ...{ id: `evt_${newId()}`, object: 'event', type, livemode: false },
      data: { object: { id, object: 'refund', amount: 4_000, currency: 'usd', status, charge } },
    });
    const disputeText = await genuine('stripe', 'charge.dispute.funds_withdrawn');
    const won = (type: string) => ({
      ...rewritten(disputeText, [['"status":"needs_response"', '"status":"won"']]),
      type,
    });
    const events = [
      failed('refund.failed', 'failed'),
      failed('refund.updated', 'canceled'),
      failed('charge.refund.updated', 'failed'),
      won('charge.dispute.funds_reinstated'),
      won('charge.dispute.closed'),
    ];
    await expectNothingFrom('stripe', events, () => moneyOf(refunded, disputed));
  });
});

describe('paypal: an invented event', () => {
  it('about a payment credits nothing', async () => {
    const paid = await credited('paypal');
    const open = await sandbox.open('paypal', 10_000);
    const capture = (await topupRow(paid.id)).paymentReference ?? '';
    const changes = [
      [paid.id, open.id],
      [paid.reference, open.reference],
    ] as const;
    const completed = await genuine('paypal', 'PAYMENT.CAPTURE.COMPLETED');
    const events = [
      rewritten(completed, [...changes, [capture, '0INVENTED00000000']]),
      rewritten(completed, changes),
      rewritten(await genuine('paypal', 'CHECKOUT.ORDER.APPROVED'), changes),
    ];
    await expectNothingFrom('paypal', events, () => moneyOf(paid, open));
    expect((await topupRow(open.id)).status).toBe('pending');
  });

  it('about a refund, a reversal or a dispute debits nothing', async () => {
    const refunded = await credited('paypal');
    const victim = await credited('paypal');
    await sandbox.act('paypal', refunded.reference, 'refund', { amount: 4_000 });
    await sandbox.act('paypal', victim.reference, 'dispute');
    await Promise.all([refunded, victim].map(deliver));
    const { reference, paymentReference } = await reversalOf(refunded.id);
    const victimCapture = (await topupRow(victim.id)).paymentReference ?? '';
    const text = await genuine('paypal', 'PAYMENT.CAPTURE.REFUNDED');
    const ofVictim = rewritten(text, [
      [reference, '0INVENTED00000000'],
      [paymentReference, victimCapture],
      [refunded.id, victim.id],
    ]);
    const events = [
      ofVictim,
      { ...ofVictim, event_type: 'PAYMENT.CAPTURE.REVERSED' },
      // A known refund, as if PayPal had debited the same amount again.
      { ...rewritten(text, []), event_type: 'PAYMENT.CAPTURE.REVERSED' },
      rewritten(await genuine('paypal', 'CUSTOMER.DISPUTE.CREATED'), [
        [(await reversalOf(victim.id)).reference, 'PP-D-00000'],
        [victimCapture, paymentReference],
        [victim.id, refunded.id],
      ]),
    ];
    await expectNothingFrom('paypal', events, () => moneyOf(refunded, victim));
    expect((await topupRow(refunded.id)).status).toBe('paid');
  });

  it('about a won dispute credits nothing', async () => {
    const made = await credited('paypal');
    await sandbox.act('paypal', made.reference, 'dispute');
    await sandbox.act('paypal', made.reference, 'reverse');
    await deliver(made);
    expect((await moneyOf(made)).wallets).toEqual([[0, 0]]);
    const created = payload.parse(JSON.parse(await genuine('paypal', 'CUSTOMER.DISPUTE.CREATED')));
    const amount = { currency_code: 'USD', value: '100.00' };
    const resource = {
      ...payload.parse(created.resource),
      status: 'RESOLVED',
      dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR', amount_refunded: amount },
      fund_movements: [{ party: 'SELLER', amount, type: 'CREDIT', reason: 'DISPUTE_SETTLEMENT' }],
    };
    const event = { ...created, id: `WH-${newId()}`, event_type: 'CUSTOMER.DISPUTE.RESOLVED', resource };
    await expectNothingFrom('paypal', [event], () => moneyOf(made));
  });
});

describe('wechat: an invented event', () => {
  it('about a payment credits nothing', async () => {
    const paid = await credited('wechat');
    const open = await sandbox.open('wechat', 10_000);
    const event = rewritten(await genuine('wechat', 'TRANSACTION.SUCCESS'), [
      [paid.reference, open.reference],
      [(await topupRow(paid.id)).paymentReference ?? '', '4200000000000000000000000000'],
    ]);
    await expectNothingFrom('wechat', [event], () => moneyOf(paid, open));
    expect((await topupRow(open.id)).status).toBe('pending');
  });

  it('about a refund debits nothing, and about a closed refund credits nothing', async () => {
    const refunded = await credited('wechat');
    const victim = await credited('wechat');
    await sandbox.act('wechat', refunded.reference, 'refund', { amount: 4_000 });
    await deliver(refunded);
    const { reference, paymentReference } = await reversalOf(refunded.id);
    const text = await genuine('wechat', 'REFUND.SUCCESS');
    const { out_refund_no: number } = z
      .object({ resource: z.object({ out_refund_no: z.string() }) })
      .parse(JSON.parse(text)).resource;
    const events = [
      rewritten(text, [
        [reference, '50300000000000000000000000000'],
        [number, 'invented'],
        [paymentReference, (await topupRow(victim.id)).paymentReference ?? ''],
        [refunded.reference, victim.reference],
      ]),
      {
        ...rewritten(text, [['"refund_status":"SUCCESS"', '"refund_status":"CLOSED"']]),
        event_type: 'REFUND.CLOSED',
      },
    ];
    await expectNothingFrom('wechat', events, () => moneyOf(refunded, victim));
  });
});

it('stores an event that cannot be verified at the provider, returns 500, and processes it later', async () => {
  const made = await sandbox.open('stripe', 10_000);
  await sandbox.act('stripe', made.reference, 'pay');
  await sandbox.control('stripe', { api: 'down' });
  await sandbox.act('stripe', made.reference, 'deliver');
  const stuck = () => db().select().from(webhookEvents).where(eq(webhookEvents.eventId, 'evt_outage'));
  const event = {
    ...{ id: 'evt_outage', object: 'event', type: 'checkout.session.completed', livemode: false },
    data: { object: { id: made.reference, object: 'checkout.session' } },
  };
  expect(await sandbox.invent('stripe', event)).toBe(500);
  expect(await stuck()).toMatchObject([{ processedAt: null, error: expect.any(String), retryAt: expect.any(Date) }]);
  expect(await getWalletBalance(made.buyer.userId)).toBe(0);
  await sandbox.control('stripe', { api: 'normal' });
  expect(await sandbox.invent('stripe', event)).toBe(200);
  expect(await getWalletBalance(made.buyer.userId)).toBe(10_000);
});
