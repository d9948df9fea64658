import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { payoutStates } from '@/db/schema/payouts';
import { newId } from '@/lib/ids';
import { computePositions } from '@/lib/ledger/position';
import { payoutTransitAccount, postTransfer, sellerPayableAccount } from '@/lib/ledger/post-transfer';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { paidPostings, requestPosting } from '@/lib/payouts/postings';
import { makePayableSeller, makePayout, makePayoutMethod } from '@/tests/factories/make-payout';
import { brokenBy } from '@/tests/setup/broken-by';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

// The first test needs sound books; each later one damages them permanently in this file's own database.

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const stateCheck = 'Each payout moved exactly what its state requires';
const ownCheck = 'Money left sellers only for their own payouts';
const transitCheck = 'Money in transit is the payouts that are neither paid nor returned';
const methodCheck = 'Every payout went to a method of its seller';
const railCheck = 'A batch of PayPal has only payouts to PayPal, and only these have its fees';
const batchCheck = 'The totals of a batch are those of its payouts';

/** The checks that fail. The one of money in transit names no payout, so it rises only once: it has its own test. */
const found = async (work: () => Promise<unknown>) =>
  (await brokenBy(work)).filter((name) => name !== transitCheck).sort();
const change = (work: () => Promise<unknown>) => async () => {
  await owner`alter table payouts disable trigger payouts_immutable`;
  await work();
  await owner`alter table payouts enable trigger payouts_immutable`;
};

it('the proof of the books accepts a payout in every state', async () => {
  for (const state of payoutStates)
    for (const kind of ['bank', 'paypal'] as const) {
      if (state === 'sent' || kind === 'bank' || state === 'requested') await makePayout(state, { kind });
    }
  await expectSoundBooks();
  const usd = computePositions(await verifyBooks()).find(({ currency }) => currency === 'USD');
  expect(usd).toMatchObject({ differenceCents: 0 });
});

describe('the proof of the books finds', () => {
  it('money in transit without a payout', async () => {
    const { payout } = await makePayout('requested');
    const broken = await brokenBy(
      () => owner`update payouts set state = 'failed', updated_at = now() where id = ${payout.id}`,
    );
    expect(broken).toEqual([stateCheck, transitCheck].sort());
    await owner`update payouts set state = 'requested', updated_at = now() where id = ${payout.id}`;
  });

  it('a payout that is marked as paid without its money, and one that was paid and is not', async () => {
    const { payout } = await makePayout('approved');
    expect(
      await found(() => owner`update payouts set state = 'paid', updated_at = now() where id = ${payout.id}`),
    ).toEqual([stateCheck]);
    const paid = await makePayout('paid');
    expect(
      await found(() => owner`update payouts set state = 'sent', updated_at = now() where id = ${paid.payout.id}`),
    ).toEqual([stateCheck]);
  });

  it('money that a payout moved twice', async () => {
    const { payout } = await makePayout('approved');
    const [posting] = paidPostings(payout, null);
    if (!posting) throw new Error('A payout has a posting.');
    expect(await found(() => postTransfer(db(), { ...posting, key: `${posting.key}:again`, amountCents: 1 }))).toEqual([
      ownCheck,
    ]);
  });

  it('money that left a seller without a payout, or for the payout of another', async () => {
    const seller = await makePayableSeller();
    const { payout } = await makePayout('requested');
    const post = (key: string) =>
      postTransfer(db(), {
        ...requestPosting(payout, null),
        key,
        from: sellerPayableAccount(seller.userId),
        to: payoutTransitAccount('bank'),
        amountCents: 100,
      });
    expect(await found(() => post(`payout:${newId()}`))).toEqual([ownCheck]);
    expect(await found(() => post(`other:${payout.id}`))).toContain(ownCheck);
  });

  it('another amount than the payout states', async () => {
    const { payout } = await makePayout('paid');
    const work = change(
      () => owner`update payouts set fee_cents = fee_cents + 1, updated_at = now() where id = ${payout.id}`,
    );
    expect(await found(work)).toEqual([stateCheck]);
  });

  it('a payout to the method of another seller', async () => {
    const { payout } = await makePayout('approved');
    const foreign = await makePayoutMethod((await makePayableSeller()).userId);
    const work = change(
      () => owner`update payouts set method_id = ${foreign}, updated_at = now() where id = ${payout.id}`,
    );
    expect(await found(work)).toEqual([methodCheck]);
  });

  it('a fee of PayPal that the books do not have, and one without a batch of PayPal', async () => {
    const { payout } = await makePayout('paid', { kind: 'paypal' });
    const work = change(
      () => owner`update payouts set provider_fee_cents = 25, updated_at = now() where id = ${payout.id}`,
    );
    expect(await found(work)).toEqual([railCheck, stateCheck]);
  });

  it('a batch with other totals than its payouts', async () => {
    const work = () =>
      owner`insert into payout_batches (id, kind, payout_count, total_cents) values (${newId()}, 'csv', 1, 100)`;
    expect(await found(work)).toEqual([batchCheck]);
  });
});

describe('the database refuses', () => {
  it('another recipient, amount or fee of a payout, and its deletion', async () => {
    const { payout } = await makePayout('requested');
    const refused = /immutable/;
    await expect(owner`update payouts set amount_cents = 1 where id = ${payout.id}`).rejects.toThrow(refused);
    await expect(owner`update payouts set seller_id = approved_by where id = ${payout.id}`).rejects.toThrow();
    await expect(owner`delete from payouts where id = ${payout.id}`).rejects.toThrow(refused);
  });

  it('other details of a payout method, and its return after its replacement', async () => {
    const { payout } = await makePayout('requested');
    const refused = /immutable/;
    await expect(owner`update payout_methods set last_four = '9999' where id = ${payout.methodId}`).rejects.toThrow(
      refused,
    );
    await owner`update payout_methods set replaced_at = now() where id = ${payout.methodId}`;
    await expect(owner`update payout_methods set replaced_at = null where id = ${payout.methodId}`).rejects.toThrow(
      refused,
    );
    await expect(owner`delete from payout_methods where id = ${payout.methodId}`).rejects.toThrow(refused);
  });
});
