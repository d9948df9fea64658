import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { newId } from '@/lib/ids';
import { computePositions } from '@/lib/ledger/position';
import { postTransfer, refundTransitAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { heldPosting, returnedPosting } from '@/lib/payments/reversals/source-refunds/postings';
import { makePaidTopup, makeSourceRefund } from '@/tests/factories/make-source-refund';
import { makeUser } from '@/tests/factories/make-user';
import { brokenBy } from '@/tests/setup/broken-by';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

// The first test needs sound books; each later one damages them permanently in this file's own database.

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const stateCheck = 'Each refund to a payment method moved exactly what its state requires';
const providerCheck = 'Each refund to a payment method is one refund of its payment at the provider';
const ownCheck = 'Money left wallets for the payment method only by refunds of their owners';
const topupCheck = 'A refund goes to the payment of its owner’s top-up';
const creditCheck = 'No payment is refunded beyond its credit, with the refunds in progress';
const transitCheck = 'Money in transit to payment methods is the refunds in progress';

/** The checks that fail. The one of money in transit names no refund, so it rises only once: it has its own test. */
const found = async (work: () => Promise<unknown>) =>
  (await brokenBy(work)).filter((name) => name !== transitCheck).sort();
const change = (work: () => Promise<unknown>) => async () => {
  await owner`alter table source_refunds disable trigger source_refunds_immutable`;
  await work();
  await owner`alter table source_refunds enable trigger source_refunds_immutable`;
};
const touch = (id: string) => owner`update source_refunds set updated_at = now() where id = ${id}`;

it('the proof of the books accepts a refund in every stage', async () => {
  const stages = [
    'requested',
    'processing',
    'sent',
    'succeeded',
    'failed',
    'returned',
    'declined',
    'withdrawn',
  ] as const;
  for (const stage of stages) await makeSourceRefund(stage);
  // In CNY: the parts of the charge differ from those of the credit.
  const inCny = { provider: 'wechat', chargeAmountMinor: 71_581, chargeCurrency: 'CNY' } as const;
  for (const stage of ['processing', 'succeeded'] as const)
    await makeSourceRefund(stage, { topup: inCny, amountCents: 3_333 });
  await expectSoundBooks();
  const usd = computePositions(await verifyBooks()).find(({ currency }) => currency === 'USD');
  expect(usd).toMatchObject({ differenceCents: 0, refundsCents: 4_000 + 3_333 });
});

describe('the proof of the books finds', () => {
  it('money in transit without a refund', async () => {
    const { refund } = await makeSourceRefund('processing');
    const set = (state: string, money: string) =>
      owner`update source_refunds set state = ${state}, money = ${money}, updated_at = now() where id = ${refund.id}`;
    expect(await brokenBy(() => set('failed', 'returned'))).toEqual([providerCheck, stateCheck, transitCheck].sort());
    await set('processing', 'held');
  });

  it('a refund that is marked as succeeded without its money, and one that moved money and is open', async () => {
    const { refund } = await makeSourceRefund('processing');
    const succeed = () =>
      owner`update source_refunds set state = 'succeeded', money = 'sent', updated_at = now() where id = ${refund.id}`;
    expect(await found(succeed)).toEqual([providerCheck, stateCheck].sort());
    const sent = await makeSourceRefund('succeeded');
    const reopen = () =>
      owner`update source_refunds set state = 'processing', money = 'held', updated_at = now() where id = ${sent.refund.id}`;
    expect(await found(reopen)).toContain(stateCheck);
  });

  it('money that a refund moved twice, or returned twice', async () => {
    const { refund } = await makeSourceRefund('processing');
    const again = { ...heldPosting(refund, null), key: `source-refund:${refund.id}:again`, amountCents: 1 };
    expect(await found(() => postTransfer(db(), again))).toEqual([ownCheck]);
    const sent = await makeSourceRefund('succeeded');
    expect(await found(() => postTransfer(db(), returnedPosting(sent.refund, null)))).toContain(stateCheck);
  });

  it('money that left a wallet without a refund, or for the refund of another', async () => {
    const buyer = await makeUser();
    await makePaidTopup(buyer);
    const { refund } = await makeSourceRefund('processing');
    const other = { ...heldPosting(refund, null), key: `source-refund:${newId()}`, from: walletAccount(buyer.userId) };
    expect(await found(() => postTransfer(db(), other))).toEqual([ownCheck]);
    const requested = await makeSourceRefund('requested');
    const foreign = { ...heldPosting(requested.refund, null), from: walletAccount(buyer.userId), amountCents: 1_000 };
    expect(await found(() => postTransfer(db(), foreign))).toContain(ownCheck);
  });

  it('a refund that the provider made without one of ours', async () => {
    const { refund } = await makeSourceRefund('processing');
    const taken = () =>
      postTransfer(db(), {
        ...heldPosting(refund, null),
        key: `stripe:refund:re_${newId()}`,
        kind: 'provider_refund',
        from: refundTransitAccount('stripe'),
        to: { kind: 'clearing', owner: 'stripe' },
        amountCents: 1,
      });
    expect(await found(taken)).toContain(ownCheck);
  });

  it('another amount, payment or owner than the refund states', async () => {
    const { refund } = await makeSourceRefund('succeeded');
    const amount = () => owner`update source_refunds set charge_minor = 1, updated_at = now() where id = ${refund.id}`;
    expect(await found(change(amount))).toEqual([providerCheck]);
    const { refund: second } = await makeSourceRefund('succeeded');
    const payment = () =>
      owner`update source_refunds set payment_reference = 'pi_other', updated_at = now() where id = ${second.id}`;
    expect(await found(change(payment))).toEqual([topupCheck, providerCheck].sort());
  });

  it('refunds in progress of more than the payment', async () => {
    const { refund } = await makeSourceRefund('processing');
    const raise = () =>
      owner`update source_refunds set charge_minor = 10001, updated_at = now() where id = ${refund.id}`;
    expect(await found(change(raise))).toEqual([creditCheck]);
  });

  it('nothing in a refund that only changed its time', async () => {
    const { refund } = await makeSourceRefund('succeeded');
    expect(await found(() => touch(refund.id))).toEqual([]);
  });
});

describe('the database refuses', () => {
  it('another amount, owner or payment of a refund, its deletion, and a state without its money', async () => {
    const { refund } = await makeSourceRefund('processing');
    const refused = /immutable/;
    await expect(owner`update source_refunds set amount_cents = 1 where id = ${refund.id}`).rejects.toThrow(refused);
    await expect(owner`update source_refunds set charge_minor = 1 where id = ${refund.id}`).rejects.toThrow(refused);
    await expect(owner`delete from source_refunds where id = ${refund.id}`).rejects.toThrow(refused);
    await expect(owner`update source_refunds set state = 'succeeded' where id = ${refund.id}`).rejects.toThrow(
      /source_refunds_money_matches_state/,
    );
  });
});
