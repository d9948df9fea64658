import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { settlementLines, settlementPositions } from '@/db/schema/settlement';
import { type PaymentProviderName, paymentProviders } from '@/db/schema/topups';
import { settleStatements } from '@/lib/payments/settlement/settle-statements';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { withProviders } from '@/tests/setup/payment-providers';
import { inAMoment, ledgerBalances, makeOlder, makeSettlementDue, settleAll } from '@/tests/setup/settlement';
import { testInTurn } from '@/tests/setup/test-in-turn';

const sandbox = withProviders();
keepSoundBooks();

/** WeChat Pay writes the bill of a day on the next one, so the events are moved into the past. */
const daysAgo = (provider: PaymentProviderName) => (provider === 'wechat' ? 3 : 0);

async function paid(provider: PaymentProviderName, amountCents = 10_000, isReturned = true) {
  const made = await sandbox.open(provider, amountCents);
  expect(await sandbox.act(provider, made.reference, provider === 'paypal' ? 'approve' : 'pay')).toBe(200);
  if (provider === 'paypal' || isReturned) await settleReturn(made.buyer, { topupId: made.id, reference: null });
  if (provider === 'wechat') {
    await makeOlder(made.id);
    await sandbox.act(provider, made.reference, 'backdate', { days: 3 });
  }
  return made;
}

const move = (provider: PaymentProviderName, action: Parameters<typeof sandbox.moveAccount>[1], fields = {}) =>
  sandbox.moveAccount(provider, action, { ...fields, daysAgo: daysAgo(provider) });

const negated = (sums: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(sums)
      .filter(([, minor]) => minor !== 0)
      .map(([currency, minor]) => [currency, -minor]),
  );

async function expectOwedAsHeld(provider: PaymentProviderName, foreign: Record<string, number> = {}): Promise<void> {
  const { held } = await sandbox.accountOf(provider);
  for (const [currency, minor] of Object.entries(foreign)) held[currency] = (held[currency] ?? 0) - minor;
  expect(await ledgerBalances('clearing', provider)).toEqual(negated(held));
}

const linesOf = (provider: PaymentProviderName) =>
  db().select().from(settlementLines).where(eq(settlementLines.provider, provider));

describe.each(paymentProviders)('%s', (provider) => {
  const itInTurn = testInTurn(provider);
  it('owes a payment less its fee until the payout; a returned payout is owed again', async () => {
    const before = await ledgerBalances('clearing', provider);
    await paid(provider);
    await settleAll();
    await expectOwedAsHeld(provider);
    expect(await ledgerBalances('clearing', provider)).not.toEqual(before);

    expect(await move(provider, 'pay-out')).toBe(200);
    await settleAll();
    expect(await ledgerBalances('clearing', provider)).toEqual({});
    const [payout] = (await linesOf(provider)).filter(({ type }) => type === 'payout');
    expect(payout).toMatchObject({ outcome: 'booked', passedMinor: 0 });

    expect(await move(provider, 'fail-payout')).toBe(200);
    await settleAll();
    await expectOwedAsHeld(provider);
    expect(await move(provider, 'pay-out')).toBe(200);
    await settleAll();
    expect(await ledgerBalances('clearing', provider)).toEqual({});
  });

  itInTurn('books each line once for any number of concurrent jobs', async () => {
    await paid(provider, 3_000);
    await move(provider, 'charge-fee', { amount: 123 });
    await move(provider, 'pay-out', { amount: 1_000 });
    await makeSettlementDue();
    const now = inAMoment();
    await Promise.all([settleStatements(now), settleStatements(now), settleStatements(now), settleStatements(now)]);
    await settleAll();
    await expectOwedAsHeld(provider);
    await move(provider, 'pay-out');
    await settleAll();
    expect(await ledgerBalances('clearing', provider)).toEqual({});
  });

  it('separates payments of other shops of the same account, also in payouts', async () => {
    await paid(provider);
    await move(provider, 'charge-elsewhere', { amount: 4_050 });
    await settleAll();
    const foreign = (await linesOf(provider)).filter(({ outcome }) => outcome === 'not_ours');
    const currency = provider === 'wechat' ? 'CNY' : 'USD';
    expect(foreign).not.toHaveLength(0);
    expect(foreign.reduce((sum, { netMinor }) => sum + netMinor, 0)).toBe(4_000);
    await expectOwedAsHeld(provider, { [currency]: 4_000 });

    await move(provider, 'pay-out');
    await settleAll();
    expect(await ledgerBalances('clearing', provider)).toEqual({});
    expect((await ledgerBalances('pass_through', provider))[currency]).toBe(4_000);
    await move(provider, 'fail-payout');
    await settleAll();
    expect(await ledgerBalances('pass_through', provider)).toEqual({});
    await expectOwedAsHeld(provider, { [currency]: 4_000 });
    await move(provider, 'pay-out');
    await settleAll();
  });

  itInTurn('waits for a payment that is not in the books yet', async () => {
    const made = await paid(provider, 2_500, false);
    await settleAll();
    const mine = (await linesOf(provider)).filter(({ topupId }) => topupId === made.id);
    expect(mine).not.toHaveLength(0);
    if (provider !== 'paypal') {
      expect(mine[0]).toMatchObject({ outcome: 'open', reason: 'The books contain no payment for this top-up yet.' });
    }
    await settleReturn(made.buyer, { topupId: made.id, reference: null });
    await settleStatements(inAMoment());
    const after = (await linesOf(provider)).filter(({ topupId }) => topupId === made.id);
    expect(after.map(({ outcome }) => outcome)).toEqual(after.map(() => 'booked'));
    await expectOwedAsHeld(provider);
    await move(provider, 'pay-out');
    await settleAll();
  });

  itInTurn('reports why a statement cannot be read, and reads it later', async () => {
    await paid(provider, 1_500);
    await settleAll();
    await sandbox.control(provider, { api: 'error' });
    await makeSettlementDue();
    expect((await settleStatements(inAMoment())).failed).toBe(1);
    const [position] = await db().select().from(settlementPositions).where(eq(settlementPositions.provider, provider));
    expect(position?.error).toBeTruthy();
    await sandbox.control(provider, { api: 'normal' });
    await settleAll();
    const [mended] = await db().select().from(settlementPositions).where(eq(settlementPositions.provider, provider));
    expect(mended?.error).toBeNull();
    await expectOwedAsHeld(provider);
    await move(provider, 'pay-out');
    await settleAll();
  });
});
