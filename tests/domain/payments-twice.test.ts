import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { paymentProviders, webhookEvents } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import type { ReversalEvidence } from '@/lib/payments/providers/provider';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { listSuspendedPayments } from '@/lib/payments/top-ups/suspended-payments';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, topupRow, withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();
keepSoundBooks();

const amountCents = 10_000;
const actor = systemActor('Tests', 'webhook');

describe.each(paymentProviders)('%s', (provider) => {
  const act = (made: Opened, action: string, fields = {}) => sandbox.act(provider, made.reference, action, fields);
  const pay = (made: Opened) => act(made, provider === 'paypal' ? 'approve' : 'pay');
  const balance = ({ buyer }: Opened) => getWalletBalance(buyer.userId);
  const eventCount = async () =>
    (await db().select({ id: webhookEvents.id }).from(webhookEvents).where(sql`provider = ${provider}`)).length;

  it('first notified ten minutes late: credited once, or rejected and credited by the return', async () => {
    const made = await sandbox.open(provider, amountCents);
    // The PayPal payment is collected before, so that only the notification is missing.
    await sandbox.control(provider, { signature: 'old' });
    await pay(made);
    const before = await eventCount();
    await act(made, 'deliver');
    await act(made, 'deliver');
    await act(made, 'redeliver');
    if (provider === 'paypal') {
      // PayPal repeats a notification for three days with the time of the first, so a late one is valid.
      expect(await balance(made)).toBe(amountCents);
    } else {
      expect(await balance(made)).toBe(0);
      expect(await eventCount()).toBe(before);
      expect((await topupRow(made.id)).status).toBe('pending');
    }
    await settleReturn(made.buyer, { topupId: made.id, reference: null });
    await act(made, 'redeliver');
    expect(await balance(made)).toBe(amountCents);
  });

  /** Credited, and paid again by another payment of the same checkout. */
  async function paidTwice(): Promise<{
    made: Opened;
    reversal: (changes: Partial<ReversalEvidence>) => ReversalEvidence;
  }> {
    const made = await sandbox.open(provider, amountCents);
    await pay(made);
    await settleReturn(made.buyer, { topupId: made.id, reference: null });
    const { chargeAmountMinor: amountMinor, chargeCurrency: currency, mode } = await topupRow(made.id);
    const paymentReference = `second-${made.id}`;
    const common = { topupId: made.id, paymentReference, mode, amountMinor, currency };
    await settleTopup(actor, made.id, {
      ...common,
      about: 'payment',
      outcome: 'paid',
      providerReference: made.reference,
    });
    const refund = { about: 'reversal', kind: 'refund', reference: newId(), money: 'taken', outcome: null } as const;
    return { made, reversal: (changes) => ({ ...common, ...refund, ...changes }) };
  }
  const apart = async ({ id }: Opened) => (await listSuspendedPayments(id)).map(({ heldMinor }) => heldMinor);

  it('paid twice, second payment refunded: the wallet keeps the first, nothing is suspended', async () => {
    const { made, reversal } = await paidTwice();
    const { chargeAmountMinor } = await topupRow(made.id);
    expect(await apart(made)).toEqual([chargeAmountMinor]);
    const [first, rest] = [
      reversal({ amountMinor: 300 }),
      reversal({ amountMinor: chargeAmountMinor - 300, reference: newId() }),
    ];
    for (const evidence of [first, rest, first, rest]) await reverseTopup(actor, made.id, evidence);
    expect(await apart(made)).toEqual([]);
    expect(await balance(made)).toBe(amountCents);
    expect(await topupRow(made.id)).toMatchObject({ status: 'paid' });
    expect(await getOwedCents(made.buyer.userId)).toBe(0);
  });

  it('paid twice, first payment refunded: debited from the wallet, the second is suspended', async () => {
    const { made } = await paidTwice();
    const { chargeAmountMinor } = await topupRow(made.id);
    await act(made, 'refund');
    await act(made, 'deliver');
    expect(await balance(made)).toBe(0);
    expect(await topupRow(made.id)).toMatchObject({ status: 'refunded' });
    expect(await apart(made)).toEqual([chargeAmountMinor]);
  });

  // WeChat Pay has no disputes: a buyer's complaint ends in a refund or in nothing.
  it.each(provider === 'wechat' ? [] : (['won', 'lost'] as const))(
    'paid twice, and the second payment disputed and %s: the first stays credited',
    async (outcome) => {
      const { made, reversal } = await paidTwice();
      const { chargeAmountMinor } = await topupRow(made.id);
      const dispute = reversal({ kind: 'dispute' });
      await reverseTopup(actor, made.id, dispute);
      expect(await apart(made)).toEqual([]);
      const ending = { ...dispute, outcome, ...(outcome === 'won' && { money: 'returned' as const }) };
      await reverseTopup(actor, made.id, ending);
      await reverseTopup(actor, made.id, dispute);
      expect(await apart(made)).toEqual(outcome === 'won' ? [chargeAmountMinor] : []);
      expect(await balance(made)).toBe(amountCents);
      expect(await topupRow(made.id)).toMatchObject({ status: 'paid' });
    },
  );
});
