import { desc, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { db } from '@/db/client';
import type { LinkVerdict } from '@/db/schema/links';
import { orderChanges } from '@/db/schema/order-changes';
import {
  acceptChange,
  acceptPrice,
  declineChange,
  repriceChange,
  withdrawChange,
} from '@/lib/orders/placements/changes/answer';
import { approveChange } from '@/lib/orders/placements/changes/approve';
import { askForChange } from '@/lib/orders/placements/changes/ask';
import type { AskInput } from '@/lib/orders/placements/changes/contract';
import { recordChangeDelivery } from '@/lib/orders/placements/changes/deliver';
import { type LockedChange, lockChange } from '@/lib/orders/placements/changes/move';
import { wantedAfter } from '@/lib/orders/placements/changes/require-link';
import { lockPlacement, type PlacementOwner } from '@/lib/orders/placements/lock';
import { withTopUpUrl } from '@/lib/orders/shortage';
import type { Offer } from '@/tests/factories/make-offer';
import { watchOf } from './link-checks';
import { makeJudgement } from './placement-verbs';

type Placed = Pick<Offer, 'id' | 'buyer' | 'seller'>;

/** The newest change of an order. */
export async function changeOf(orderId: number) {
  const [change] = await db()
    .select()
    .from(orderChanges)
    .where(eq(orderChanges.orderId, orderId))
    .orderBy(desc(orderChanges.id))
    .limit(1);
  if (!change) throw new Error(`Order #${orderId} has no change.`);
  return change;
}

/** The verbs of a paid change, of the newest one of an order. */
export const ask = ({ id, buyer }: Placed, input: Partial<AskInput> = {}) =>
  db().transaction(async (tx) =>
    askForChange(tx, buyer, await lockPlacement(tx, id, { buyer }), {
      ...{ text: 'Link to the new page.', targetUrl: 'https://shop.example.com/new', anchor: 'new spade' },
      ...input,
    }),
  );

const step = async <Result>(
  orderId: number,
  owner: PlacementOwner,
  verb: (tx: Executor, locked: LockedChange) => Promise<Result>,
) => {
  const { id: changeId } = await changeOf(orderId);
  return db().transaction(async (tx) => verb(tx, await lockChange(tx, { orderId, changeId }, owner)));
};

export const acceptAsked = async ({ id, seller }: Placed) =>
  acceptChange(seller, { orderId: id, changeId: (await changeOf(id)).id });
export const reprice = ({ id, seller }: Placed, cents = 4_000) =>
  step(id, { sellerId: seller.userId }, (tx, locked) =>
    repriceChange(tx, seller, locked, { cents, reason: 'A long article' }),
  );
export const agree = ({ id, buyer }: Placed) =>
  withTopUpUrl(buyer, () => step(id, { buyer }, (tx, locked) => acceptPrice(tx, buyer, locked)));
export const declineAsked = ({ id, seller }: Placed) =>
  step(id, { sellerId: seller.userId }, (tx, locked) => declineChange(tx, seller, locked, 'Not now'));
export const withdraw = ({ id, buyer }: Placed) =>
  step(id, { buyer }, (tx, locked) => withdrawChange(tx, buyer, locked));
/** Delivers a change whose page was checked. */
export const deliverAsked = async ({ id, seller }: Placed, verdict: LinkVerdict = 'ok', reason = '') => {
  const watch = await watchOf(id);
  return step(id, { sellerId: seller.userId }, (tx, locked) => {
    const requested = wantedAfter(locked.change, watch);
    const check = { url: watch.pageUrl, requested, isNofollowSite: false, judgement: makeJudgement(verdict) };
    return recordChangeDelivery(tx, seller, locked, { check, reason });
  });
};
export const approveAsked = ({ id, buyer }: Placed) =>
  step(id, { buyer }, (tx, locked) => approveChange(tx, buyer, locked, 'buyer'));

/** Lets time pass for the changes of an order. */
export const passChangeTime = (orderId: number, ms: number) => {
  const back = (column: string) => sql`${sql.raw(column)} - make_interval(secs => ${ms / 1_000})`;
  return db()
    .update(orderChanges)
    .set({ dueAt: back('due_at'), nextActionAt: back('next_action_at') })
    .where(eq(orderChanges.orderId, orderId));
};
