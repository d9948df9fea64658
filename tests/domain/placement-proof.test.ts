import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orderChanges } from '@/db/schema/order-changes';
import { type PlacementState, placementStates } from '@/db/schema/placements';
import { newId } from '@/lib/ids';
import { computePositions } from '@/lib/ledger/position';
import {
  postTransfer,
  reservedAccount,
  revenueAccount,
  sellerPayableAccount,
  sellerPendingAccount,
  type Transfer,
  walletAccount,
} from '@/lib/ledger/post-transfer';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { brokenBy } from '@/tests/setup/broken-by';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

// The first tests need sound books; each later one damages them permanently in this file's own database.

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const reservedCheck = 'Reserved money is the charges of the placements and changes without an approval';
const stateCheck = 'Each placement moved exactly what its state requires';
const shareCheck = 'The shares of a placement add up to the charge of its order';
const sellerCheck = 'Each seller earned the shares of their approved placements, less what was returned';
const ownCheck = 'Money was reserved and earned only for placements of the same seller';
const twiceCheck = 'No seller earned a placement twice';
const changeCheck = 'Changes were paid, returned and earned once, by the two sides of their order';
const paidCheck = 'Every order was paid by exactly its charge and its other changes';
const statusCheck = 'Refunded orders are returned in full, and all others are paid once';
const storedCheck = 'Stored balance equals the sum of the transfers';
const routeCheck = 'Money moved only between accounts that its kind allows';

const post = (transfer: Partial<Transfer> & Pick<Transfer, 'kind' | 'from' | 'to'>) =>
  postTransfer(db(), { key: `test:${newId()}`, amountCents: 100, currency: 'USD', ...transfer });
/** The checks that fail. The one of reserved money names no order, so it rises only once: it has its own test. */
const found = async (work: () => Promise<unknown>) =>
  (await brokenBy(work)).filter((name) => name !== reservedCheck).sort();
const setState = (id: number, state: PlacementState) =>
  owner`update placements set state = ${state}, updated_at = now() where order_id = ${id}`;

describe('the proof of the books accepts', () => {
  it('a placement in every state, and each share of a settlement before and after the approval', async () => {
    for (const state of placementStates) await makePlacement(state);
    for (const isApproved of [true, false])
      for (const buyerPercent of [0, 1, 50, 99, 100])
        await makePlacement('settled', { isApproved, buyerPercent, sellerCents: 101, marginCents: 33 });
    await makePlacement('disputed', { isApproved: true });
    await makePlacement('taken_over', { isApproved: true });
    await makePlacement('approved', { marginCents: 0 });
    await expectSoundBooks();
    const usd = computePositions(await verifyBooks()).find(({ currency }) => currency === 'USD');
    // Offered, accepted, delivered, in revision, disputed.
    expect(usd).toMatchObject({ reservedCents: 5_000, differenceCents: 0 });
    expect(usd?.sellersCents).toBeGreaterThan(0);
  });
});

describe('the proof of the books finds', () => {
  it('reserved money that belongs to no placement', async () => {
    const { id } = await makePlacement('offered');
    expect(await brokenBy(() => setState(id, 'lost'))).toContain(reservedCheck);
    await setState(id, 'offered');
  });

  it('an approved placement without its money, and one that was declined with it', async () => {
    const { id } = await makePlacement('offered');
    expect(await found(() => setState(id, 'approved'))).toEqual([stateCheck, sellerCheck].sort());
    const approved = await makePlacement('approved');
    expect(await found(() => setState(approved.id, 'declined'))).toEqual([stateCheck]);
  });

  it('a declined placement whose charge was not returned', async () => {
    const { id } = await makePlacement('accepted');
    expect(await found(() => setState(id, 'cancelled'))).toEqual([stateCheck, sellerCheck].sort());
  });

  it('returned columns that differ from the transfers', async () => {
    const { id } = await makePlacement('settled', { buyerPercent: 50, isApproved: true });
    const change =
      () => owner`update placements set margin_returned_cents = margin_returned_cents - 1, updated_at = now()
      where order_id = ${id}`;
    expect(await found(change)).toEqual([stateCheck, statusCheck].sort());
  });

  it('shares that do not add up to the charge', async () => {
    const { id } = await makePlacement('approved');
    const change = () =>
      owner`update placements set seller_cents = seller_cents + 1, updated_at = now() where order_id = ${id}`;
    expect(await found(change)).toEqual([shareCheck, stateCheck, sellerCheck].sort());
  });

  it('a placement that its seller earned twice', async () => {
    const { id, seller } = await makePlacement('approved');
    const again = {
      kind: 'earning',
      from: reservedAccount,
      to: sellerPendingAccount(seller.userId),
      orderId: id,
    } as const;
    expect(await found(() => post(again))).toEqual([twiceCheck, stateCheck, sellerCheck].sort());
  });

  it('a change that is approved without its money, or was paid and never returned', async () => {
    const { id, buyer, seller } = await makePlacement('approved');
    const sides = { orderId: id, buyerId: buyer.userId, sellerId: seller.userId };
    const values = { ...sides, text: 'New link', sellerCents: 70, marginCents: 30, chargedAt: new Date() };
    const changeId = newId();
    const insert = () =>
      db()
        .insert(orderChanges)
        .values({ id: changeId, state: 'approved', ...values });
    expect(await found(insert)).toEqual([changeCheck]);
    const end = () => owner`update order_changes set state = 'declined', updated_at = now() where id = ${changeId}`;
    expect(await found(end)).toEqual([paidCheck, statusCheck].sort());
  });

  it('earnings of another seller', async () => {
    const { id } = await makePlacement('offered');
    const stranger = await makeUser('Seller');
    const earning = {
      kind: 'earning',
      from: reservedAccount,
      to: sellerPendingAccount(stranger.userId),
      orderId: id,
    } as const;
    expect(await found(() => post(earning))).toEqual([ownCheck, stateCheck, sellerCheck].sort());
  });

  it('a share that became payable to another seller', async () => {
    const { id, seller } = await makePlacement('approved');
    const stranger = await makeUser('Seller');
    const ripening = {
      kind: 'ripening',
      from: sellerPendingAccount(seller.userId),
      to: sellerPayableAccount(stranger.userId),
      orderId: id,
    } as const;
    expect(await found(() => post(ripening))).toEqual([ownCheck, stateCheck].sort());
  });

  it('a placement that is over while a part of its share is pending', async () => {
    for (const state of ['closed', 'settled'] as const) {
      const { id } = await makePlacement('approved');
      expect(await found(() => setState(id, state))).toContain(stateCheck);
    }
  });

  it('earnings of no order', async () => {
    const { seller } = await makePlacement('approved');
    const earning = { kind: 'earning', from: reservedAccount, to: sellerPendingAccount(seller.userId) } as const;
    expect(await found(() => post(earning))).toEqual([ownCheck, sellerCheck].sort());
  });

  it('money reserved for an order without a placement', async () => {
    const { id, buyer } = await makePlacement('offered');
    await owner`delete from placements where order_id = ${id}`;
    const move = { kind: 'order_refund', from: reservedAccount, to: walletAccount(buyer.userId), orderId: id } as const;
    expect(await found(() => post(move))).toEqual([ownCheck, statusCheck].sort());
  });

  it('a settled order that was refunded more, or in full with another status', async () => {
    const { id, buyer } = await makePlacement('settled', { buyerPercent: 50, isApproved: true });
    const refund = {
      kind: 'order_refund',
      from: revenueAccount,
      to: walletAccount(buyer.userId),
      orderId: id,
    } as const;
    expect(await found(() => post(refund))).toEqual([statusCheck]);
    const other = await makePlacement('settled', { buyerPercent: 50 });
    expect(
      await found(() => owner`update orders set status = 'Refunded', updated_at = now() where id = ${other.id}`),
    ).toEqual([statusCheck]);
  });

  it('a damaged balance of a seller without new transfers', async () => {
    const { seller } = await makePlacement('approved');
    const damage = () => owner`update ledger.accounts set balance_cents = balance_cents - 1
      where kind = 'seller_pending' and owner = ${seller.userId}`;
    expect(await found(damage)).toEqual([storedCheck]);
    await owner`update ledger.accounts set balance_cents = balance_cents + 1
      where kind = 'seller_pending' and owner = ${seller.userId}`;
  });

  it('a refund from the account of a seller to a wallet', async () => {
    const { id, seller, buyer } = await makePlacement('approved');
    const refund = {
      kind: 'order_refund',
      from: sellerPendingAccount(seller.userId),
      to: walletAccount(buyer.userId),
      orderId: id,
    } as const;
    expect(await found(() => post(refund))).toContain(routeCheck);
  });
});
