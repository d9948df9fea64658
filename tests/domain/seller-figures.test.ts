import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { payoutMethods } from '@/db/schema/payouts';
import { placementEvents, placements } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import { systemActor } from '@/lib/access/actor';
import { getOfferFigures, getSellerSteps } from '@/lib/dashboard/seller-figures';
import { newId } from '@/lib/ids';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { movePlacement } from '@/lib/orders/placements/transition';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeSite } from '@/tests/factories/make-site';
import { actorOf, makeUser } from '@/tests/factories/make-user';
import { accept, decline } from '@/tests/setup/placement-verbs';

const empty = { offers: 0, accepted: 0, declined: 0, expired: 0, medianSeconds: null, isCapped: false };

/** Dates an offer back, and its answer to some seconds after it. */
async function date(orderId: number, daysAgo: number, seconds: number): Promise<void> {
  const createdAt = new Date(Date.now() - daysAgo * 86_400_000);
  const answeredAt = sql`case when answer is not null then ${createdAt.toISOString()}::timestamptz + make_interval(secs => ${seconds}) end`;
  await db().update(placements).set({ createdAt, answeredAt }).where(eq(placements.orderId, orderId));
}

const medianOf = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
};

it("equals a plain count of a seller's offers and the plain median of the answers in 90 days", async () => {
  const offer = fc.record({
    answer: fc.constantFrom('accepted', 'declined', 'expired', 'staff', 'open'),
    daysAgo: fc.constantFrom(0, 30, 89, 91, 400),
    seconds: fc.integer({ min: 1, max: 250_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(offer, { maxLength: 7 }), async (walk) => {
      const seller = await makeUser('Seller');
      const admin = await makeUser('Admin');
      await makeOffer(2_000);
      for (const { answer, daysAgo, seconds } of walk) {
        const made = await makeOffer(2_000, {}, { seller });
        // A reminder is no answer.
        await db()
          .insert(placementEvents)
          .values({ orderId: made.id, action: 'reminded', fromState: 'offered', toState: 'offered', role: 'system' });
        if (answer === 'accepted') await accept(made);
        else if (answer === 'declined') await decline(made);
        else if (answer !== 'open')
          await db().transaction(async (tx) => {
            const locked = await lockPlacement(tx, made.id);
            await (answer === 'expired'
              ? movePlacement(tx, systemActor('Test', 'script'), locked, { action: 'expired', role: 'system' })
              : movePlacement(tx, admin, locked, { action: 'accepted', role: 'staff' }));
          });
        await date(made.id, daysAgo, seconds);
      }
      const recent = walk.filter(({ daysAgo }) => daysAgo < 90);
      const countOf = (kind: string) => recent.filter(({ answer }) => answer === kind).length;
      const answers = recent.filter(({ answer }) => answer === 'accepted' || answer === 'declined');
      expect(await getOfferFigures(seller.userId)).toEqual({
        offers: recent.length,
        ...{ accepted: countOf('accepted'), declined: countOf('declined'), expired: countOf('expired') },
        medianSeconds: medianOf(answers.map(({ seconds }) => seconds)),
        isCapped: false,
      });
    }),
    { numRuns: propertyRuns(6) },
  );
  expect(await getOfferFigures((await makeUser('Seller')).userId)).toEqual(empty);
});

it('finds which first steps a seller has taken', async () => {
  const seller = await makeUser('Seller');
  const steps = () => getSellerSteps(seller);
  const before = {
    ...{ hasVerifiedEmail: true, hasSite: false, hasApprovedSite: false },
    ...{ hasPayoutMethod: false, hasAccepted: false },
  };
  await makeSite((await makeUser('Seller')).userId, 1_000);
  expect(await steps()).toEqual(before);
  expect(await getSellerSteps({ ...seller, status: 'Pending' })).toMatchObject({ hasVerifiedEmail: false });

  const pending = await makeSite(seller.userId, 1_000, { status: 'Pending' });
  expect(await steps()).toEqual({ ...before, hasSite: true });
  await db().update(sites).set({ status: 'Approved' }).where(eq(sites.id, pending));
  expect(await steps()).toEqual({ ...before, hasSite: true, hasApprovedSite: true });
  await db().update(sites).set({ deletedAt: sql`now()` }).where(eq(sites.id, pending));
  expect(await steps()).toEqual(before);

  const method = { id: newId(), sellerId: seller.userId, kind: 'agreement', sealedDetails: '' } as const;
  await db()
    .insert(payoutMethods)
    .values({ ...method, usableAt: new Date() });
  const offer = await makeOffer(2_000, {}, { seller });
  const listed = { ...before, hasSite: true, hasApprovedSite: true, hasPayoutMethod: true };
  expect(await steps()).toEqual(listed);
  await accept(offer);
  expect(await steps()).toEqual({ ...listed, hasAccepted: true });
  expect(await getSellerSteps(await actorOf(offer.buyer.userId))).toEqual(before);
});
