import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type LinkVerdict, linkWatches } from '@/db/schema/links';
import { recordCheck } from '@/lib/orders/link-checks/record';
import { makeOffer } from '@/tests/factories/make-offer';
import { accept, deliver, makeJudgement, page, passTime } from './placement-verbs';

/** Creates an order of one site that its seller has delivered. @param url a page below example.com */
export async function deliverOffer(chargeCents = 10_000, url = page) {
  const offer = await makeOffer(chargeCents);
  await accept(offer);
  await deliver(offer, url);
  return offer;
}

export async function watchOf(orderId: number) {
  const [watch] = await db().select().from(linkWatches).where(eq(linkWatches.orderId, orderId));
  if (!watch) throw new Error(`Order #${orderId} has no watch.`);
  return watch;
}

/** Leaves the first check of a delivered link to the job, as after staff set another page. */
export const leaveCheckToJob = (orderId: number) =>
  db()
    .update(linkWatches)
    .set({ verdict: null, checkedAt: null, nextCheckAt: sql`now()`, nextCause: 'delivery' })
    .where(eq(linkWatches.orderId, orderId));

/** Lets time pass for a placement and its link. */
export async function passLinkTime(orderId: number, ms: number) {
  await passTime(orderId, ms);
  const back = (column: string) => sql`${sql.raw(column)} - make_interval(secs => ${ms / 1_000})`;
  await db()
    .update(linkWatches)
    .set({
      checkedAt: back('checked_at'),
      notOkSince: back('not_ok_since'),
      brokenSince: back('broken_since'),
      brokenConfirmedAt: back('broken_confirmed_at'),
      repairDueAt: back('repair_due_at'),
      remindedAt: back('reminded_at'),
      unknownSince: back('unknown_since'),
      startedAt: back('started_at'),
      nextCheckAt: back('next_check_at'),
    })
    .where(eq(linkWatches.orderId, orderId));
}

/**
 * Records a check of an order's link, as the job does after it has fetched the page.
 * @param changed what the check finds of the link after an open change
 */
export async function checkLink(orderId: number, verdict: LinkVerdict, changed?: LinkVerdict) {
  const watch = await watchOf(orderId);
  const pending = changed && { targetUrl: 'https://shop.example.com/new', judgement: makeJudgement(changed) };
  return db().transaction((tx) =>
    recordCheck(tx, { watch, judgement: makeJudgement(verdict), changed: pending, actorId: null }),
  );
}
