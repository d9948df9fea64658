import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { checkouts, orders } from '@/db/schema/orders';
import { type PlacementState, placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { postTransfer, postTransfers, reservedAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { splitShare } from '@/lib/orders/placements/split';
import {
  createApprovalTransfers,
  createReturnTransfers,
  createSettlementTransfers,
  createTakeOverTransfers,
} from '@/lib/orders/placements/transfers';
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
  /** The buyer's share of a settlement. */
  buyerPercent?: number;
};

const returned: readonly PlacementState[] = ['declined', 'expired', 'cancelled'];
const alwaysApproved: readonly PlacementState[] = ['approved', 'closed'];

/** Inserts a paid order with a placement in a state, and moves the money of the steps to it. */
export async function makePlacement(
  state: PlacementState,
  { sellerCents = 600, marginCents = 400, isApproved = alwaysApproved.includes(state), ...options }: Options = {},
): Promise<{ id: number; buyer: Actor; seller: Actor; projectId: string }> {
  const chargedCents = sellerCents + marginCents;
  const buyer = options.buyer ?? (await makeUser());
  const seller = options.seller ?? (await makeUser('Seller'));
  const projectId = options.projectId ?? (await makeProject(buyer));
  await fundWallet(buyer.userId, chargedCents);
  const { buyerPercent = state === 'settled' ? 50 : 0 } = options;
  const shares = { sellerCents, marginCents };
  const split = splitShare(shares, returned.includes(state) ? 100 : buyerPercent);
  const isReturned = returned.includes(state) || (state === 'settled' && buyerPercent === 100);
  const order = await insertOrder(buyer, seller, { projectId, chargedCents });
  const placement = {
    ...shares,
    sellerId: seller.userId,
    sellerReturnedCents: split.sellerReturnedCents,
    marginReturnedCents: split.marginReturnedCents,
    approvedAt: isApproved ? new Date() : null,
  };
  const now = new Date();
  await db()
    .insert(placements)
    .values({ ...placement, orderId: order.id, buyerId: buyer.userId, state, turnaroundDays: 7, answerDueAt: now });
  const by = { actorId: null };
  await postTransfer(db(), {
    key: `order:${order.id}`,
    kind: 'order',
    from: walletAccount(buyer.userId),
    to: reservedAccount,
    amountCents: chargedCents,
    currency: 'USD',
    orderId: order.id,
  });
  if (isApproved) await postTransfers(db(), createApprovalTransfers(order, placement, by));
  if (state === 'settled') await postTransfers(db(), createSettlementTransfers(order, placement, by));
  if (returned.includes(state)) await postTransfers(db(), createReturnTransfers(order, placement, by));
  if (state === 'taken_over' && !isApproved) await postTransfers(db(), createTakeOverTransfers(order, placement, by));
  await db()
    .update(orders)
    .set(isReturned ? { status: 'Refunded', refundCount: 1 } : { status: isApproved ? 'Live' : 'Pending' })
    .where(eq(orders.id, order.id));
  return { id: order.id, buyer, seller, projectId };
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
    .values({ id: checkoutId, userId: buyer.userId, requestHash: '', totalCents: chargedCents });
  const [order] = await db()
    .insert(orders)
    .values({
      userId: buyer.userId,
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
