import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { actAsBuyer, actAsSeller, actAsStaff, takeStaffAction } from '@/lib/orders/order/authorize';
import {
  acceptOffer,
  answerExtension,
  askForExtension,
  declineOffer,
  deliverPlacement,
  releasePlacement,
} from '@/lib/orders/placements/fulfill';
import { approveDelivery, cancelPlacement, requestRevision } from '@/lib/orders/placements/review';
import { staffPlacementBody } from '@/lib/orders/placements/schemas';
import type { Offer } from '@/tests/factories/make-offer';

/** A page on the domain of the sites of tests. */
export const page = 'https://blog.example.com/article';

type Placed = Pick<Offer, 'id' | 'buyer' | 'seller'>;

/** The verbs of the seller and the buyer, as their addresses call them. */
export const accept = ({ id, seller }: Placed, version?: number) =>
  actAsSeller(seller, id, { version }, (tx, locked) => acceptOffer(tx, seller, locked, { role: 'seller' }));
export const decline = ({ id, seller }: Placed) =>
  actAsSeller(seller, id, {}, (tx, locked) =>
    declineOffer(tx, seller, locked, { role: 'seller', reason: 'Off topic' }),
  );
export const deliver = ({ id, seller }: Placed, url = page) =>
  actAsSeller(seller, id, {}, (tx, locked) => deliverPlacement(tx, seller, locked, { role: 'seller', url }));
export const askForDays = ({ id, seller }: Placed, days = 4) =>
  actAsSeller(seller, id, {}, (tx, locked) => askForExtension(tx, seller, locked, { days, reason: 'Illness' }));
export const release = ({ id, seller }: Placed) =>
  actAsSeller(seller, id, {}, (tx, locked) => releasePlacement(tx, seller, locked));
export const answerDays = ({ id, buyer }: Placed, grant: boolean) =>
  actAsBuyer(buyer, id, {}, (tx, locked) => answerExtension(tx, buyer, locked, { grant, role: 'buyer' }));
export const approve = ({ id, buyer }: Placed, version?: number) =>
  actAsBuyer(buyer, id, { version }, (tx, locked) => approveDelivery(tx, buyer, locked, { role: 'buyer' }));
export const revise = ({ id, buyer }: Placed) =>
  actAsBuyer(buyer, id, {}, (tx, locked) =>
    requestRevision(tx, buyer, locked, { reason: 'Wrong anchor', text: 'Use the brand.' }),
  );
export const cancel = ({ id, buyer }: Placed) =>
  actAsBuyer(buyer, id, {}, (tx, locked) => cancelPlacement(tx, buyer, locked, { role: 'buyer' }));

/** Acts as staff with a body of POST /api/admin/orders/{id}/placement. */
export const actByStaff = (admin: Actor, id: number, input: unknown) => {
  const body = staffPlacementBody.parse(input);
  return actAsStaff(admin, id, body, (tx, locked) => takeStaffAction(tx, admin, locked, body));
};

export const placementOf = async (orderId: number) => {
  const [row] = await db().select().from(placements).where(eq(placements.orderId, orderId));
  if (!row) throw new Error(`Order #${orderId} has no placement.`);
  return row;
};

/** Lets time pass for a placement: all its times move into the past. */
export const passTime = (orderId: number, ms: number) => {
  const back = (column: string) => sql`${sql.raw(column)} - make_interval(secs => ${ms / 1_000})`;
  return db()
    .update(placements)
    .set({
      answerDueAt: back('answer_due_at'),
      deliveryDueAt: back('delivery_due_at'),
      approveDueAt: back('approve_due_at'),
      remindedAt: back('reminded_at'),
      nextActionAt: back('next_action_at'),
      approvedAt: back('approved_at'),
      guaranteeStartsAt: back('guarantee_starts_at'),
    })
    .where(eq(placements.orderId, orderId));
};
