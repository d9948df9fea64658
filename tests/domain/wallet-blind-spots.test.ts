import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { paymentReversals } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import {
  clearingAccount,
  postTransfer,
  revenueAccount,
  type Transfer,
  walletAccount,
} from '@/lib/ledger/post-transfer';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { brokenBy } from '@/tests/setup/broken-by';

// Ledger rows never change: each test damages them permanently in this file's own database, and looks for its row.

async function openTopup(status: 'paid' | 'pending') {
  const { userId } = await makeUser();
  const id = newId();
  const paymentReference = status === 'paid' ? `pi_${id}` : null;
  await makeTopup({ userId }, { id, providerReference: `cs_${id}`, paymentReference, status });
  return { id, userId };
}

const credit = (id: string, userId: string, changes: Partial<Transfer> = {}) =>
  postTransfer(db(), {
    key: `stripe:pi_${id}`,
    kind: 'topup',
    from: clearingAccount('stripe'),
    to: walletAccount(userId),
    amountCents: 10_000,
    currency: 'USD',
    meta: { topupId: id },
    ...changes,
  });

describe('the proof of the books finds', () => {
  it('no fault in a top-up that was credited as requested', async () => {
    const { id, userId } = await openTopup('paid');
    await credit(id, userId);
    expect((await verifyBooks()).isSound).toBe(true);
  });

  it('a top-up that was credited twice', async () => {
    const { id, userId } = await openTopup('paid');
    await credit(id, userId);
    expect(await brokenBy(() => credit(id, userId, { key: `stripe:again_${id}` }))).toEqual([
      'Every top-up references the payment in the books',
      'No top-up was credited twice',
    ]);
  });

  it('a paid top-up without a credit', async () => {
    expect(await brokenBy(() => openTopup('paid'))).toEqual([
      'Every paid top-up was credited',
      'Every top-up references the payment in the books',
    ]);
  });

  it.each<[string, (other: string) => Partial<Transfer>]>([
    ['of another amount', () => ({ amountCents: 9_999 })],
    ['without its intent', () => ({ meta: {}, key: `test:${newId()}` })],
    ['of an unknown intent', () => ({ meta: { topupId: 'unknown' }, key: `test:${newId()}` })],
    ['to another user', (other) => ({ to: walletAccount(other) })],
  ])('a credit %s', async (_, changes) => {
    const other = await makeUser();
    const found = await brokenBy(async () => {
      const { id, userId } = await openTopup('paid');
      await credit(id, userId, changes(other.userId));
    });
    expect(found).toContain('Every credit of a top-up matches its intent');
  });

  it('reversals above the credit, and any of a payment that was not credited', async () => {
    for (const [paymentReference, amountCents] of [
      ['', 10_001],
      ['pi_second', 1],
    ] as const) {
      const { id, userId } = await openTopup('paid');
      await credit(id, userId);
      const found = await brokenBy(() =>
        db()
          .insert(paymentReversals)
          .values({
            id: newId(),
            topupId: id,
            provider: 'stripe',
            mode: 'test',
            kind: 'refund',
            paymentReference: paymentReference || `pi_${id}`,
            reference: `re_${id}`,
            amountMinor: amountCents,
            currency: 'USD',
            amountCents,
            money: 'taken',
          }),
      );
      expect(found).toContain('No payment was reversed beyond its credit');
    }
  });

  it.each<[string, Partial<Transfer>]>([
    ['of another amount', { amountCents: 9_000 }],
    ['to another account', { to: revenueAccount }],
  ])('a reversal %s', async (_, changes) => {
    const { id, userId } = await openTopup('paid');
    const { transferId } = await credit(id, userId);
    const reversal: Transfer = {
      key: `reversal:${transferId}`,
      kind: 'reversal',
      from: walletAccount(userId),
      to: clearingAccount('stripe'),
      amountCents: 10_000,
      currency: 'USD',
      reversesId: transferId,
    };
    expect(await brokenBy(() => postTransfer(db(), { ...reversal, ...changes }))).toEqual([
      'Every reversal mirrors the transfer it reverses',
    ]);
  });
});

describe('a credit that its top-up does not record', () => {
  it('and prevents its settlement', async () => {
    const { id, userId } = await openTopup('pending');
    await credit(id, userId);
    const settling = settleTopup(systemActor('Tests', 'job'), id, {
      about: 'payment',
      outcome: 'paid',
      providerReference: `cs_${id}`,
      paymentReference: `pi_${id}`,
      topupId: id,
      mode: 'test',
      amountMinor: 10_000,
      currency: 'USD',
    });
    await expect(settling).rejects.toMatchObject({ code: 'conflict' });
  });
});
