import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { checkouts, orders } from '@/db/schema/orders';
import { type PlacementState, placements } from '@/db/schema/placements';
import { type Actor, systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { postTransfer, postTransfers, reservedAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { endWatch } from '@/lib/links/watches';
import { isOver } from '@/lib/orders/contract';
import { findBrief } from '@/lib/orders/placements/lock';
import { planMoney } from '@/lib/orders/placements/transfers';
import { watchLink } from '@/lib/orders/placements/transition';
import { fundWallet } from './fund-wallet';
import { makeProject } from './make-project';
import { makeSite } from './make-site';
import { makeUser } from './make-user';

type Options = {
  sellerCents?: number;
  marginCents?: number;
  buyer?: Actor;
  seller?: Actor;
  projectId?: string;
  /** Whether the delivery was approved before the state `disputed`, `settled` or `taken_over`. */
  isApproved?: boolean;
  /** The buyer's share of a settlement in percent; 50 unless given. */
  buyerPercent?: number;
};

const withDelivery: readonly PlacementState[] = [
  'delivered',
  'in_revision',
  'disputed',
  'approved',
  'closed',
  'lost',
  'settled',
];
const alwaysApproved: readonly PlacementState[] = ['approved', 'closed', 'lost'];

/**
 * Inserts a paid order with a placement in a state, and moves the money of the steps to it. The link of a delivery is
 * watched and was not checked yet.
 */
export async function makePlacement(
  state: PlacementState,
  { sellerCents = 600, marginCents = 400, isApproved = alwaysApproved.includes(state), ...options }: Options = {},
): Promise<{ id: number; buyer: Actor; seller: Actor; projectId: string }> {
  const chargedCents = sellerCents + marginCents;
  const buyer = options.buyer ?? (await makeUser());
  const seller = options.seller ?? (await makeUser('Seller'));
  const projectId = options.projectId ?? (await makeProject(buyer));
  await fundWallet(buyer.accountId, chargedCents);
  const order = await insertOrder(buyer, seller, { projectId, chargedCents });
  const now = new Date();
  const [offered] = await db()
    .insert(placements)
    .values({
      orderId: order.id,
      sellerId: seller.userId,
      buyerId: buyer.accountId,
      sellerCents,
      marginCents,
      turnaroundDays: 7,
      answerDueAt: now,
      ...(withDelivery.includes(state) && { deliveredAt: now, deliveredUrl: `${order.website}/article` }),
    })
    .returning();
  if (!offered) throw new Error('The placement was not inserted.');
  await postTransfer(db(), {
    key: `order:${order.id}`,
    kind: 'order',
    from: walletAccount(buyer.accountId),
    to: reservedAccount,
    amountCents: chargedCents,
    currency: 'USD',
    orderId: order.id,
  });
  if (withDelivery.includes(state)) await watchLink(db(), order, offered, await findBrief(db(), order.id));
  let placement = offered;
  if (isApproved) placement = await move(order, placement, { to: 'approved', now });
  // The money of an approved placement that is taken over stays where it is.
  if (!isApproved || (state !== 'approved' && state !== 'taken_over'))
    placement = await move(order, placement, { to: state, now, buyerPercent: options.buyerPercent ?? 50 });
  if (isOver({ state }))
    await endWatch(db(), order.id, state === 'lost' ? 'lost' : state === 'closed' ? 'over' : 'stopped');
  await db().update(placements).set({ state }).where(eq(placements.orderId, order.id));
  const isReturned = placement.sellerReturnedCents + placement.marginReturnedCents === chargedCents;
  await db()
    .update(orders)
    .set({
      ...(isReturned ? { status: 'Refunded', refundCount: 1 } : { status: getStatus(state, isApproved) }),
      ...(isApproved && { linkUrl: placement.deliveredUrl }),
    })
    .where(eq(orders.id, order.id));
  return { id: order.id, buyer, seller, projectId };
}

const getStatus = (state: PlacementState, isApproved: boolean) =>
  state === 'closed' ? 'Completed' : isApproved ? 'Live' : 'Pending';

type Step = { to: PlacementState; now: Date; buyerPercent?: number };

/** Moves the money of a step, and writes what the step leaves in the placement besides its state. */
async function move(
  order: typeof orders.$inferSelect,
  placement: typeof placements.$inferSelect,
  { to, now, buyerPercent }: Step,
) {
  const actor = systemActor('Test', 'script');
  const money = planMoney(actor, { order, placement }, to, { buyerPercent });
  await postTransfers(db(), money.transfers);
  const change = {
    ...money.returned,
    ...money.ripened,
    ...(to === 'approved' && { approvedAt: now, guaranteeStartsAt: now }),
    ...(isOver({ state: to }) && { endedAt: now }),
  };
  await db().update(placements).set(change).where(eq(placements.orderId, order.id));
  return { ...placement, ...change };
}

async function insertOrder(
  buyer: Actor,
  seller: Actor,
  { projectId, chargedCents }: { projectId: string; chargedCents: number },
) {
  const siteId = await makeSite(seller.userId, chargedCents);
  const checkoutId = newId();
  await db()
    .insert(checkouts)
    .values({ id: checkoutId, accountId: buyer.accountId, requestHash: '', totalCents: chargedCents });
  const [order] = await db()
    .insert(orders)
    .values({
      accountId: buyer.accountId,
      orderedBy: buyer.userId,
      checkoutId,
      kind: 'custom',
      siteId,
      projectId,
      website: sql`(select url from sites where id = ${siteId})`,
      postType: 'Guest Post',
      priceCents: chargedCents,
      currency: 'USD',
      usdMicrosPerUnit: 1_000_000,
      chargedCents,
      projectDomain: 'project.example',
      projectTargetUrl: 'https://project.example/page',
      projectKeywords: '',
      isFulfilledBySeller: true,
    })
    .returning();
  if (!order) throw new Error('The order was not inserted.');
  return order;
}
