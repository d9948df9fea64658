import { and, eq, isNotNull, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { disputes } from '@/db/schema/disputes';
import { placementEvents, placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getWalletBalance } from '@/lib/ledger/balance';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute, withdrawDispute } from '@/lib/orders/disputes/open';
import { acceptProposal, proposeSettlement, settleSilentDisputes } from '@/lib/orders/disputes/proposals';
import { getDispute } from '@/lib/orders/disputes/queries';
import { actAsBuyer } from '@/lib/orders/order/authorize';
import { approveDelivery } from '@/lib/orders/placements/review';
import { splitSettlement } from '@/lib/orders/placements/shares';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeDispute } from '@/tests/factories/make-dispute';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

const complaint = { reason: 'other', text: 'The anchor differs.' } as const;
const decision = (buyerPercent: number) => ({ buyerPercent, note: 'Decided.' });

const approve = (buyer: Actor, orderId: number) =>
  actAsBuyer(buyer, orderId, {}, (tx, locked) => approveDelivery(tx, buyer, locked, { role: 'buyer' }));

const expire = (id: string) =>
  db()
    .update(disputes)
    .set({ silenceDueAt: sql`now() - interval '1 second'`, nextActionAt: sql`now() - interval '1 second'` })
    .where(and(eq(disputes.id, id), isNotNull(disputes.silenceDueAt)));

/** Runs calls at once. @returns the codes of the refusals; any other error fails the test */
async function atOnce(...calls: (() => Promise<unknown>)[]): Promise<string[]> {
  const results = await Promise.allSettled(calls.map((call) => call()));
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [];
    if (result.reason instanceof AppError) return [result.reason.code];
    throw result.reason;
  });
}

describe('of two changes at once, one wins and the other is refused', () => {
  it('approval and dispute', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, buyer } = await makePlacement('in_revision');
      await db().update(placements).set({ state: 'delivered' }).where(eq(placements.orderId, id));
      const refused = await atOnce(
        () => approve(buyer, id),
        () => openDispute(buyer, id, 'buyer', complaint),
      );
      const [row] = await db().select().from(placements).where(eq(placements.orderId, id));
      // A dispute after the approval is allowed; an approval after the dispute is not.
      expect(refused).toEqual(row?.state === 'disputed' && row.approvedAt === null ? ['conflict'] : []);
    }
    await expectSoundBooks();
  });

  it('two decisions', async () => {
    const { id, buyer, orderId } = await makeDispute();
    const [one, other] = [await makeUser('Admin'), await makeUser('Admin')];
    const refused = await atOnce(
      () => decideDispute(one, id, decision(10)),
      () => decideDispute(other, id, decision(90)),
    );
    expect(refused).toEqual(['conflict']);
    const { buyerPercent } = await getDispute(id);
    expect([10, 90]).toContain(buyerPercent);
    expect(await getWalletBalance(buyer.userId)).toBe((buyerPercent ?? 0) * 10);
    expect(await settlements(orderId)).toBe(1);
  });

  it('an acceptance and a new proposal', async () => {
    const { id, buyer, seller } = await makeDispute();
    await proposeSettlement(buyer, id, { buyerPercent: 70 });
    const refused = await atOnce(
      () => acceptProposal(seller, id, 1),
      () => proposeSettlement(buyer, id, { buyerPercent: 80 }),
    );
    expect(refused).toEqual(['conflict']);
    const { state, buyerPercent, proposals } = await getDispute(id);
    expect({ state, buyerPercent, proposals: proposals.length }).toEqual(
      state === 'settled'
        ? { state: 'settled', buyerPercent: 70, proposals: 1 }
        : { state: 'open', buyerPercent: null, proposals: 2 },
    );
  });

  it('silence and an answer', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, buyer, seller, orderId } = await makeDispute();
      await proposeSettlement(buyer, id, { buyerPercent: 70 });
      await expire(id);
      const refused = await atOnce(
        () => proposeSettlement(seller, id, { buyerPercent: 10 }),
        () => settleSilentDisputes(),
      );
      const { state } = await getDispute(id);
      expect(refused).toEqual(state === 'settled' ? ['conflict'] : []);
      expect(await settlements(orderId)).toBe(state === 'settled' ? 1 : 0);
    }
    await expectSoundBooks();
  });
});

async function settlements(orderId: number): Promise<number> {
  const events = await db().select().from(placementEvents).where(eq(placementEvents.orderId, orderId));
  return events.filter(({ action }) => action === 'settled').length;
}

const percents = fc.integer({ min: 0, max: 100 });
const likely = ['propose', 'propose', 'propose', 'propose', 'accept', 'accept', 'silence', 'decide', 'job'] as const;
const change = fc.record({
  kind: fc.constantFrom(...likely),
  isBuyer: fc.boolean(),
  percent: percents,
  number: fc.integer({ min: 1, max: 6 }),
});

it('any sequence of changes, three at a time, settles a dispute exactly once, and the shares add up', async () => {
  const admin = await makeUser('Admin');
  await fc.assert(
    fc.asyncProperty(
      fc.record({ sellerCents: fc.integer({ min: 1, max: 9_999 }), marginCents: fc.nat(4_999) }),
      fc.boolean(),
      fc.array(fc.tuple(change, change, change), { minLength: 2, maxLength: 8 }),
      percents,
      async (shares, isApproved, rounds, lastPercent) => {
        const { id, orderId, buyer, seller } = await makeDispute(isApproved ? 'approved' : 'delivered', shares);
        const run = ({ kind, isBuyer, percent, number }: (typeof rounds)[number][number]) => {
          const actor = isBuyer ? buyer : seller;
          if (kind === 'propose') return proposeSettlement(actor, id, { buyerPercent: percent });
          if (kind === 'accept') return acceptProposal(actor, id, number);
          if (kind === 'silence') return expire(id).then(() => settleSilentDisputes());
          return kind === 'decide' ? decideDispute(admin, id, decision(percent)) : settleSilentDisputes();
        };
        for (const round of rounds) await atOnce(...round.map((one) => () => run(one)));
        await atOnce(() => decideDispute(admin, id, decision(lastPercent)));

        const dispute = await getDispute(id);
        const [row] = await db().select().from(placements).where(eq(placements.orderId, orderId));
        // What ripened at the approval stays with the seller.
        const ripenedCents = isApproved ? Math.floor((shares.sellerCents * 40) / 100) : 0;
        const split = splitSettlement({ ...shares, ripenedCents }, dispute.buyerPercent ?? Number.NaN);
        expect(dispute).toMatchObject({ state: 'settled', returnedCents: split.buyerCents, silenceDueAt: null });
        const accepted = dispute.proposals.filter(({ acceptedAt }) => acceptedAt !== null);
        expect(accepted.length).toBe(dispute.outcome === 'decided' ? 0 : 1);
        expect(await settlements(orderId)).toBe(1);
        const { sellerReturnedCents, marginReturnedCents } = split;
        expect(row).toMatchObject({ state: 'settled', sellerReturnedCents, marginReturnedCents });
        expect(split.buyerCents + split.sellerCents + split.marginCents).toBe(shares.sellerCents + shares.marginCents);
        expect(await getWalletBalance(buyer.userId)).toBe(split.buyerCents);
        await expect(withdrawDispute(buyer, id)).rejects.toMatchObject({ code: 'conflict' });
      },
    ),
    { numRuns: propertyRuns(12) },
  );
  await expectSoundBooks();
}, 120_000);
