import { and, eq, inArray } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { db } from '@/db/client';
import { type EventAudience, eventAudiences, events } from '@/db/schema/events';
import { orders } from '@/db/schema/orders';
import { users } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { type EventType, eventTypes, isEventType, subscribableTypes, viewOf } from '@/lib/events/types';
import { openDispute } from '@/lib/orders/disputes/open';
import { postMessage } from '@/lib/orders/messages/post';
import { extendAsBuyer } from '@/lib/orders/order/authorize';
import { updateOrder } from '@/lib/orders/order/update';
import { runChangeClocks } from '@/lib/orders/placements/changes/run-clocks';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { movePlacement, type Step } from '@/lib/orders/placements/transition';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { updateSiteBody } from '@/lib/sites/edit-schemas';
import { saveOptions } from '@/lib/sites/options/save';
import { updateSite } from '@/lib/sites/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { makeOrder } from '@/tests/factories/make-order';
import { makePayout } from '@/tests/factories/make-payout';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import * as changes from '@/tests/setup/change-verbs';
import { checkLink, passLinkTime } from '@/tests/setup/link-checks';
import {
  accept,
  answerDays,
  approve,
  askForDays,
  cancel,
  decline,
  deliver,
  release,
  revise,
} from '@/tests/setup/placement-verbs';

/** Unusual shares, so that no other number in an event is one of them by chance. */
const [chargeCents, sellerCents] = [765_431, 432_107];
/** A quarter of each for a paid change. */
const [changeCents, changeSellerCents] = [191_358, 108_027];
/** The seller's amount of a longer guarantee, and what the buyer pays for it: in proportion to the two prices. */
const [guaranteeSellerCents, guaranteeCents] = [10_007, 17_726];
const extend = async ({ id, siteId, buyer, seller }: Offer) => {
  await fundWallet(buyer.userId, guaranteeCents);
  const offered = [{ kind: 'guarantee' as const, days: 365, surchargeCents: guaranteeSellerCents }];
  const { options } = await saveOptions(seller, siteId, { options: offered });
  await extendAsBuyer(buyer, id, { optionId: options[0]?.id ?? '', shownTotalCents: guaranteeCents });
};
const asks = (offer: Offer) => changes.ask(offer);
const day = 86_400_000;

let offers: Offer[] = [];

const makeStory = async (...steps: ((offer: Offer) => Promise<unknown>)[]) => {
  const offer = await makeOffer(chargeCents, { sellerPriceCents: sellerCents });
  await db().update(users).set({ name: 'Quentin Buyer' }).where(eq(users.id, offer.buyer.userId));
  await db().update(users).set({ name: 'Sybil Seller' }).where(eq(users.id, offer.seller.userId));
  await db().update(orders).set({ projectDomain: 'secret-shop.example' }).where(eq(orders.id, offer.id));
  for (const step of steps) await step(offer);
  offers = [...offers, offer];
  return offer;
};

/** A step that a clock or staff make. */
const move = (step: Step) => (offer: Offer) =>
  db().transaction(async (tx) =>
    movePlacement(tx, systemActor('Test', 'job'), await lockPlacement(tx, offer.id), step),
  );

const dispute = ({ id, buyer }: Offer) =>
  openDispute(buyer, id, 'buyer', { reason: 'other', text: 'The page differs from the brief.' });

const talk = async ({ id, buyer, seller }: Offer) => {
  await postMessage(buyer, 'buyer', id, { text: 'When? Quentin Buyer', files: [] });
  await postMessage(seller, 'seller', id, { text: 'Soon. Sybil Seller', files: [] });
};

beforeAll(async () => {
  await makeStory(
    talk,
    accept,
    (offer) => askForDays(offer),
    (offer) => answerDays(offer, true),
    deliver,
    revise,
    deliver,
    approve,
  );
  await makeStory(
    accept,
    (offer) => askForDays(offer),
    (offer) => answerDays(offer, false),
    release,
    cancel,
  );
  await makeStory(decline);
  await makeStory(move({ action: 'expired', role: 'system' }));
  await makeStory(accept, move({ action: 'taken_over', role: 'staff' }));
  await makeStory(accept, deliver, dispute, move({ action: 'dispute_withdrawn', role: 'system', to: 'delivered' }));
  await makeStory(accept, deliver, dispute, move({ action: 'settled', role: 'staff', buyerPercent: 40 }));
  await makeStory(
    ...[accept, (offer: Offer) => deliver(offer), (offer: Offer) => approve(offer)],
    ({ buyer }) => fundWallet(buyer.userId, changeCents),
    ...[asks, (offer: Offer) => changes.reprice(offer, 999), changes.withdraw, asks, changes.declineAsked],
    ...[asks, changes.acceptAsked, (offer: Offer) => changes.deliverAsked(offer), changes.approveAsked, asks],
    ({ id }) => changes.passChangeTime(id, 99 * day),
    ...[runChangeClocks, move({ action: 'closed', role: 'system' })],
  );
  await makeStory(accept, deliver, approve, extend);
  const broken = await makeStory(accept, deliver, approve);
  for (const verdict of ['ok', 'changed', 'ok', 'broken', 'broken', 'ok', 'broken', 'broken'] as const) {
    await checkLink(broken.id, verdict);
    await passLinkTime(broken.id, day + 1);
  }
  await passLinkTime(broken.id, 8 * day);
  await checkLink(broken.id, 'broken');
  const admin = await makeUser('Admin');
  const { id } = await makeOrder(chargeCents);
  await updateOrder(admin, id, { status: 'Refunded' });
  const buyer = await makeUser();
  const topupId = await makeTopup(buyer, { mode: 'live', providerReference: 'cs_live' });
  await settleTopup(systemActor('Test', 'webhook'), topupId, {
    ...{ about: 'payment', outcome: 'paid', topupId, mode: 'live', amountMinor: 10_000, currency: 'USD' },
    ...{ providerReference: 'cs_live', paymentReference: 'pi_live' },
  });
  for (const state of ['paid', 'failed', 'returned'] as const) await makePayout(state);
  const { siteId } = await makeOffer();
  for (const status of ['Rejected', 'Approved'] as const)
    await updateSite(admin, siteId, updateSiteBody.parse({ status }));
});

it('every type is recorded by its verb, for each audience, exactly with the declared fields', async () => {
  const rows = await db().select().from(events);
  const expected = subscribableTypes.flatMap((type) =>
    eventAudiences.filter((audience) => viewOf(type, audience)).map((audience) => `${type} ${audience}`),
  );
  const recorded = new Set(rows.map(({ type, audience }) => `${type} ${audience}`));
  expect([...recorded].sort()).toEqual(expected.sort());
  for (const { type, audience, data, accountId: userId } of rows) {
    if (!isEventType(type)) throw new Error(`Unknown type ${type}`);
    expect(Object.keys(data).sort(), `${type} ${audience}`).toEqual(Object.keys(shapeOf(type, audience)).sort());
    expect(userId === null, `${type} ${audience}`).toBe(audience === 'installation');
  }
});

const shapeOf = (type: EventType, audience: EventAudience): z.ZodObject['shape'] =>
  viewOf(type, audience)?.schema.shape ?? {};

it("no event of a buyer names the seller or the seller's share, and none of a seller the buyer, the price or the margin", async () => {
  const amounts = (...all: number[]) => all.flatMap((cents) => [String(cents), (cents / 100).toFixed(2)]);
  let checked = 0;
  for (const { id, buyer, seller } of offers) {
    const secrets = {
      buyer: [
        'Sybil',
        seller.email,
        seller.userId,
        ...amounts(sellerCents, chargeCents - sellerCents),
        ...amounts(changeSellerCents, changeCents - changeSellerCents),
        ...amounts(guaranteeSellerCents, guaranteeCents - guaranteeSellerCents),
      ],
      seller: [
        ...['Quentin', buyer.email, buyer.userId, 'secret-shop.example'],
        ...amounts(chargeCents, chargeCents - sellerCents, changeCents, changeCents - changeSellerCents),
        ...amounts(guaranteeCents, guaranteeCents - guaranteeSellerCents),
      ],
    };
    for (const audience of ['buyer', 'seller'] as const) {
      const person = audience === 'buyer' ? buyer : seller;
      const own = await db()
        .select()
        .from(events)
        .where(and(eq(events.accountId, person.userId), eq(events.audience, audience)));
      const text = JSON.stringify(own);
      expect(text, `order ${id}`).toContain(`"orderId":${id}`);
      for (const secret of secrets[audience]) expect(text, `${audience} ${secret}`).not.toContain(secret);
      checked += own.length;
    }
  }
  expect(checked).toBeGreaterThan(80);
});

it('the installation has both sides, and the declared examples match their schemas', async () => {
  const [first] = offers;
  const rows = await db()
    .select()
    .from(events)
    .where(and(eq(events.audience, 'installation'), inArray(events.type, ['placement.approved'])));
  const found = rows.find(({ data }) => data.orderId === first?.id);
  expect(found?.data).toMatchObject({
    buyerId: first?.buyer.userId,
    sellerId: first?.seller.userId,
    chargedCents: chargeCents,
    earnsCents: sellerCents,
  });
  for (const type of Object.keys(eventTypes).filter(isEventType)) {
    for (const audience of eventAudiences) {
      const view = viewOf(type, audience);
      if (view) expect(view.schema.strict().safeParse(view.example).error, `${type} ${audience}`).toBeUndefined();
    }
  }
});
