import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import { users } from '@/db/schema/users';
import { getSellerFrame, getSellerWork } from '@/lib/dashboard/seller';
import { exportEarnings, getEarnings, listEarningEntries } from '@/lib/earnings/statement';
import { orderView } from '@/lib/orders/contract';
import { disputeView } from '@/lib/orders/disputes/contract';
import { openDispute } from '@/lib/orders/disputes/open';
import { proposeSettlement } from '@/lib/orders/disputes/proposals';
import { findDisputeOf } from '@/lib/orders/disputes/queries';
import { postMessage } from '@/lib/orders/messages/post';
import { openRoom } from '@/lib/orders/messages/stream';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { actAsBuyer, actAsSeller } from '@/lib/orders/order/authorize';
import { getOrder, listOrders } from '@/lib/orders/order/queries';
import { getSellerOrder, listSellerOrders, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { acceptOffer } from '@/lib/orders/placements/fulfill';
import { approveDelivery, requestRevision } from '@/lib/orders/placements/review';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { deliver } from '@/tests/setup/placement-verbs';

/** Unusual shares, so that no other number in an answer is one of them by chance. */
const [chargeCents, sellerCents] = [765_431, 432_107];
const marginCents = chargeCents - sellerCents;

/** The ways in which an answer can contain an amount. */
const amount = (cents: number) => [String(cents), (cents / 100).toFixed(2), (cents / 100).toLocaleString('en-US')];

const secretsOf = ({ buyer, seller }: Offer) => ({
  buyer: [
    'Quentin Buyer',
    buyer.email,
    buyer.userId,
    'secret-shop.example',
    'a secret plan',
    'secret keyword',
    ...amount(chargeCents),
    ...amount(marginCents),
  ],
  seller: ['Sybil Seller', seller.email, seller.userId, ...amount(sellerCents), ...amount(marginCents)],
});

/** An order with names and a project to keep, and its whole way to the approval, with messages of both sides. */
async function makeStory(): Promise<Offer> {
  const offer = await makeOffer(chargeCents, { sellerPriceCents: sellerCents });
  const { id, buyer, seller } = offer;
  await db().update(users).set({ name: 'Quentin Buyer' }).where(eq(users.id, buyer.userId));
  await db().update(users).set({ name: 'Sybil Seller' }).where(eq(users.id, seller.userId));
  const kept = { projectDomain: 'secret-shop.example', projectKeywords: 'secret keyword' };
  await db().update(orders).set(kept).where(eq(orders.id, id));
  await db().update(projects).set({ description: 'a secret plan' }).where(eq(projects.accountId, buyer.userId));
  const url = `${(await getSellerOrder(seller, id)).website}/article`;
  await postMessage(buyer, 'buyer', id, { text: 'When is it online?', files: [] });
  await postMessage(seller, 'seller', id, { text: 'Next week.', files: [] });
  await actAsSeller(seller, id, {}, (tx, locked) => acceptOffer(tx, seller, locked, { role: 'seller' }));
  await deliver(offer, url);
  await actAsBuyer(buyer, id, {}, (tx, locked) => requestRevision(tx, buyer, locked, { reason: 'Wrong anchor' }));
  await deliver(offer, url);
  await actAsBuyer(buyer, id, {}, (tx, locked) => approveDelivery(tx, buyer, locked, { role: 'buyer' }));
  const dispute = await openDispute(buyer, id, 'buyer', { reason: 'poor_quality', text: 'Two paragraphs only.' });
  await proposeSettlement(seller, dispute.id, { buyerPercent: 0 });
  return offer;
}

async function disputeOf(orderId: number) {
  const dispute = await findDisputeOf(orderId);
  if (!dispute) throw new Error('The order has no dispute.');
  return dispute;
}

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('the two sides of a placement', () => {
  it('show the seller nothing of the buyer, the project, the price and the margin', async () => {
    const offer = await makeStory();
    const { id, seller } = offer;
    const answers = {
      order: sellerOrderView(await getSellerOrder(seller, id)),
      list: (await listSellerOrders(seller, { limit: 5 })).rows.map(sellerOrderView),
      room: await openRoom(seller, 'seller', id),
      dispute: disputeView(await disputeOf(id), 'seller'),
      work: await getSellerWork(seller.userId),
      frame: await getSellerFrame(seller),
      earnings: await getEarnings(seller.userId),
      entries: await listEarningEntries(seller.userId, { limit: 5 }),
      csv: await textOf(exportEarnings(seller.userId, {})),
    };
    expect(answers.order.earnsCents).toBe(sellerCents);
    for (const [name, answer] of Object.entries(answers))
      for (const secret of secretsOf(offer).buyer) expect(JSON.stringify(answer), name).not.toContain(secret);
  });

  it('show the buyer nothing of the seller, the share and the margin', async () => {
    const offer = await makeStory();
    const { id, buyer } = offer;
    const order = await getOrder(buyer, id);
    const answers = {
      order: orderView(order),
      list: (await listOrders(buyer, { limit: 5 })).rows.map(orderView),
      room: await openRoom(buyer, 'buyer', id),
      dispute: disputeView(await disputeOf(id), 'buyer'),
      timeline: await getTimeline(order, 'buyer'),
    };
    expect(answers.order.placement).toMatchObject({ state: 'disputed' });
    for (const [name, answer] of Object.entries(answers))
      for (const secret of secretsOf(offer).seller) expect(JSON.stringify(answer), name).not.toContain(secret);
  });
});
