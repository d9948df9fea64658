import { Readable } from 'node:stream';
import { and, asc, eq, gte, lt, max, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { disputeProposals, disputes } from '@/db/schema/disputes';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { attachContent } from '@/lib/orders/deliverables/content';
import { openDispute } from '@/lib/orders/disputes/open';
import { acceptProposal, proposeSettlement } from '@/lib/orders/disputes/proposals';
import { postMessage } from '@/lib/orders/messages/post';
import { actAsBuyer, actAsSeller, actAsStaff } from '@/lib/orders/order/authorize';
import { updateOrder } from '@/lib/orders/order/update';
import type { DeliveryCheck } from '@/lib/orders/placements/check-delivery';
import { acceptOffer, askForExtension, declineOffer, deliverPlacement } from '@/lib/orders/placements/fulfill';
import type { LockedPlacement } from '@/lib/orders/placements/lock';
import { approveDelivery, cancelPlacement, requestRevision, takeOverPlacement } from '@/lib/orders/placements/review';
import { runPlacementClocks } from '@/lib/orders/placements/run-clocks';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import type { WalkStep } from './walks';

/** The sides of an order; a package has no seller. */
export type Sides = { buyer: Actor; seller: Actor; staff: Actor };

/**
 * Plays a step of an order through the function that the step's side calls in the application.
 * @param check checks a page of the demo without requests
 */
export async function playStep(
  { buyer, seller, staff }: Sides,
  id: number,
  step: Exclude<WalkStep, { does: 'change page' }>,
  check: (locked: LockedPlacement, url: string) => DeliveryCheck,
): Promise<void> {
  switch (step.does) {
    case 'accept':
      await actAsSeller(seller, id, {}, (tx, locked) => acceptOffer(tx, seller, locked, { role: 'seller' }));
      return;
    case 'decline':
      await actAsSeller(seller, id, {}, (tx, locked) =>
        declineOffer(tx, seller, locked, { role: 'seller', reason: step.reason }),
      );
      return;
    case 'deliver': {
      const url = await articleUrl(id);
      await actAsSeller(seller, id, {}, (tx, locked) =>
        deliverPlacement(tx, seller, locked, { role: 'seller', check: check(locked, url), reason: step.reason }),
      );
      return;
    }
    case 'ask days':
      await actAsSeller(seller, id, {}, (tx, locked) => askForExtension(tx, seller, locked, step));
      return;
    case 'approve':
      await actAsBuyer(buyer, id, {}, (tx, locked) => approveDelivery(tx, buyer, locked, { role: 'buyer' }));
      return;
    case 'revise':
      await actAsBuyer(buyer, id, {}, (tx, locked) => requestRevision(tx, buyer, locked, step));
      return;
    case 'cancel':
      await actAsBuyer(buyer, id, {}, (tx, locked) => cancelPlacement(tx, buyer, locked, { role: 'buyer' }));
      return;
    case 'dispute':
      await openDispute(buyer, id, 'buyer', step);
      return;
    case 'propose':
      await proposeSettlement({ buyer, seller }[step.by], (await findDispute(id)).id, { buyerPercent: step.percent });
      return;
    case 'accept proposal': {
      const dispute = await findDispute(id);
      await acceptProposal({ buyer, seller }[step.by], dispute.id, dispute.proposals);
      return;
    }
    case 'take over':
      await actAsStaff(staff, id, {}, (tx, locked) => takeOverPlacement(tx, staff, locked, {}));
      return;
    case 'say':
      await postMessage({ buyer, seller, staff }[step.by], step.by, id, { text: step.text, files: [] });
      return;
    case 'set':
      await updateOrder(staff, id, {
        status: step.status,
        adminComments: step.comment,
        linkUrl: step.isPublished ? await articleUrl(id) : undefined,
      });
      return;
    case 'deliver package':
      await deliverPackage(staff, id, step.comment);
      return;
    case 'time out':
      await runOutClock(id);
      return;
  }
}

/** The posts of the starter package. */
const packageLinks = 3;

/** Publishes the articles of a package on different sites, and delivers their addresses. */
async function deliverPackage(staff: Actor, id: number, comment: string): Promise<void> {
  const [order] = await db().select().from(orders).where(eq(orders.id, id));
  if (!order) throw new Error(`Order #${id} does not exist.`);
  const places = await db()
    .select({ name: sites.name, url: sites.url })
    .from(sites)
    .where(and(isListed, eq(sites.postType, 'Guest posts'), gte(sites.dr, 20), lt(sites.createdAt, order.createdAt)))
    .orderBy(asc(sites.id))
    .limit(packageLinks);
  const slug = toSlug(order.projectKeywords);
  const links = places.map(({ name, url }) => ({ name, url: `${url}/${slug}` }));
  const lines = links.map(({ name, url }) => `${name},${url},${order.projectTargetUrl}`);
  const file = Readable.from([Buffer.from(`site,article,target\n${lines.join('\n')}\n`)]);
  await attachContent(staff, id, file, `order-${id}-links.csv`);
  await updateOrder(staff, id, {
    status: 'Completed',
    linkUrl: links[0]?.url,
    adminComments: [comment, ...links.map(({ url }) => url)].join('\n'),
  });
}

/** Returns the address of an order's article, which no other order has: on its site; for a package, on an invented site. */
async function articleUrl(id: number): Promise<string> {
  const [order] = await db().select().from(orders).where(eq(orders.id, id));
  return `${order?.website || 'https://union-herald.example.com'}/${toSlug(order?.projectKeywords ?? '')}-${id}`;
}

/** Returns the first keyword as a part of an address. */
const toSlug = (keywords: string) =>
  (keywords.split(',')[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

/** Ends the clock of a placement now, and runs the job. */
async function runOutClock(id: number): Promise<void> {
  await db()
    .update(placements)
    .set({
      answerDueAt: sql`case when state = 'offered' then now() else answer_due_at end`,
      deliveryDueAt: sql`case when state = 'accepted' then now() else delivery_due_at end`,
      nextActionAt: sql`now()`,
    })
    .where(eq(placements.orderId, id));
  await runPlacementClocks();
}

async function findDispute(orderId: number): Promise<{ id: string; proposals: number }> {
  const [dispute] = await db()
    .select({ id: disputes.id, proposals: max(disputeProposals.number) })
    .from(disputes)
    .leftJoin(disputeProposals, eq(disputeProposals.disputeId, disputes.id))
    .where(and(eq(disputes.orderId, orderId), eq(disputes.state, 'open')))
    .groupBy(disputes.id);
  if (!dispute) throw new Error(`Order #${orderId} has no open dispute.`);
  return { id: dispute.id, proposals: dispute.proposals ?? 0 };
}
