import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import type { LinkVerdict } from '@/db/schema/links';
import { placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import type { Judgement } from '@/lib/links/judge-page';
import { actAsBuyer, actAsSeller, takeStaffAction } from '@/lib/orders/order/authorize';
import type { DeliveryCheck } from '@/lib/orders/placements/check-delivery';
import {
  acceptOffer,
  answerExtension,
  askForExtension,
  declineOffer,
  deliverPlacement,
  releasePlacement,
} from '@/lib/orders/placements/fulfill';
import { getRequestedLink, type LockedPlacement } from '@/lib/orders/placements/lock';
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
export const deliver = ({ id, seller }: Placed, url = page, { verdict = 'ok', reason }: Delivered = {}) =>
  actAsSeller(seller, id, {}, (tx, locked) =>
    deliverPlacement(tx, seller, locked, { role: 'seller', check: makeCheck(locked, url, verdict), reason }),
  );

type Delivered = { verdict?: LinkVerdict; reason?: string };

/** Makes the check of a page before its delivery, without a request. */
function makeCheck(locked: LockedPlacement, url: string, verdict: LinkVerdict = 'ok'): DeliveryCheck {
  return {
    url,
    requested: getRequestedLink(locked, url),
    isNofollowSite: false,
    judgement: makeJudgement(verdict, url),
  };
}

/** Makes a judgement of a page as `judgePage` returns it. */
export const makeJudgement = (verdict: LinkVerdict, url = page): Judgement => ({
  verdict,
  textHash: 'a'.repeat(64),
  evidence: {
    status: verdict === 'unknown' ? 403 : 200,
    finalUrl: url,
    redirects: [],
    found: verdict === 'ok' || verdict === 'changed',
    rel: verdict === 'ok' ? [] : null,
    anchor: verdict === 'ok' ? 'spade' : null,
    indexable: true,
    reasons: verdict === 'broken' ? ['link_missing'] : verdict === 'changed' ? ['rel_changed'] : [],
  },
});
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
  return takeStaffAction(admin, id, body);
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
