import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { disputes } from '@/db/schema/disputes';
import { type LinkVerdict, linkProofs } from '@/db/schema/links';
import { notices } from '@/db/schema/notices';
import { orders } from '@/db/schema/orders';
import { placementEvents } from '@/db/schema/placements';
import { getWalletBalance } from '@/lib/ledger/balance';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute, withdrawDispute } from '@/lib/orders/disputes/open';
import { listNewestChecks } from '@/lib/orders/link-checks/queries';
import { deleteOrder } from '@/lib/orders/order/delete';
import { countLinksByVerdict, listLiveLinks } from '@/lib/orders/order/project-figures';
import { getSellerOrder, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { updateOrder } from '@/lib/orders/order/update';
import { runPlacementClocks } from '@/lib/orders/placements/run-clocks';
import { propertyRuns } from '@/scripts/testing/tier';
import type { Offer } from '@/tests/factories/make-offer';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, deliverOffer, passLinkTime, watchOf } from '@/tests/setup/link-checks';
import { approve, page, placementOf } from '@/tests/setup/placement-verbs';

const day = 86_400_000;

const actionsOf = async (orderId: number) =>
  (
    await db().select().from(placementEvents).where(eq(placementEvents.orderId, orderId)).orderBy(placementEvents.id)
  ).map(({ action }) => action);

describe('the link of a delivery', () => {
  it('is approved by the clock only when its newest check found it', async () => {
    const offer = await deliverOffer();
    await checkLink(offer.id, 'broken');
    await passLinkTime(offer.id, 8 * day);
    await runPlacementClocks();
    expect((await placementOf(offer.id)).state).toBe('delivered');
    await checkLink(offer.id, 'ok');
    await runPlacementClocks();
    expect((await placementOf(offer.id)).state).toBe('approved');
    await expectSoundBooks();
  });

  it('ripens by the schedule of the order, and closes it at the end of the guarantee', async () => {
    const offer = await deliverOffer();
    await approve(offer);
    const { sellerCents } = await placementOf(offer.id);
    expect((await placementOf(offer.id)).ripenedCents).toBe(Math.floor(sellerCents * 0.4));
    await passLinkTime(offer.id, 45 * day);
    await checkLink(offer.id, 'ok');
    expect((await placementOf(offer.id)).ripenedCents).toBe(
      Math.floor(sellerCents * 0.4) + Math.floor((sellerCents * 0.6) / 2),
    );
    await passLinkTime(offer.id, 45 * day);
    await checkLink(offer.id, 'unknown');
    expect((await placementOf(offer.id)).state).toBe('approved');
    await checkLink(offer.id, 'ok');
    expect(await placementOf(offer.id)).toMatchObject({ state: 'closed', ripenedCents: sellerCents });
    expect((await watchOf(offer.id)).nextCheckAt).toBeNull();
    await expectSoundBooks();
  });

  it('is broken only after two results a day apart, and lost a week later, with the rest returned', async () => {
    const offer = await deliverOffer();
    await approve(offer);
    await passLinkTime(offer.id, 9 * day);
    await checkLink(offer.id, 'ok');
    const ripe = (await placementOf(offer.id)).ripenedCents;
    const paid = await getWalletBalance(offer.buyer.userId);
    await checkLink(offer.id, 'broken');
    await checkLink(offer.id, 'broken');
    expect((await watchOf(offer.id)).brokenConfirmedAt).toBeNull();
    for (let days = 0; days < 7; days += 1) {
      await passLinkTime(offer.id, day);
      await checkLink(offer.id, days === 3 ? 'unknown' : 'broken');
    }
    expect((await placementOf(offer.id)).state).toBe('approved');
    await passLinkTime(offer.id, day);
    await checkLink(offer.id, 'broken');
    const lost = await placementOf(offer.id);
    expect(lost).toMatchObject({ state: 'lost', ripenedCents: ripe, sellerReturnedCents: lost.sellerCents - ripe });
    const returned = (await getWalletBalance(offer.buyer.userId)) - paid;
    expect(returned).toBe(lost.sellerReturnedCents + lost.marginReturnedCents);
    expect((await actionsOf(offer.id)).slice(-3)).toEqual(['link_broken', 'repair_due', 'lost']);
    const [order] = await db().select().from(orders).where(eq(orders.id, offer.id));
    const projectId = order?.projectId ?? '';
    const counted = Object.entries(await countLinksByVerdict(projectId)).map(([name, { total }]) => [name, total]);
    expect(Object.fromEntries(counted)).toEqual({ ok: 0, changed: 0, broken: 0, unknown: 0, lost: 1 });
    const { rows } = await listLiveLinks(projectId, { limit: 10, offset: 0 });
    expect(rows).toMatchObject([{ orderId: offer.id, verdict: 'lost' }]);
    expect((await listNewestChecks([offer.id])).get(offer.id)?.verdict).toBe('lost');
    const [proof] = await db().select().from(linkProofs).where(eq(linkProofs.orderId, offer.id));
    expect(proof?.revokedReason).toBe('lost');
    await expectSoundBooks();
  });

  it('is accepted as it is when its delivery is approved with another text', async () => {
    const offer = await deliverOffer();
    await checkLink(offer.id, 'changed');
    await approve(offer);
    const { rel, anchor, nextCheckAt } = await watchOf(offer.id);
    expect({ rel, anchor }).toEqual({ rel: 'any', anchor: '' });
    expect(Number(nextCheckAt)).toBeLessThanOrEqual(Date.now());
    await passLinkTime(offer.id, day);
    await checkLink(offer.id, 'ok');
    expect((await actionsOf(offer.id)).at(-1)).toBe('link_repaired');
  });

  it('stays watched when staff remove it from the order, and closes with an order that is deleted', async () => {
    const offer = await deliverOffer();
    await approve(offer);
    await checkLink(offer.id, 'ok');
    const admin = await makeUser('Admin');
    await updateOrder(admin, offer.id, { linkUrl: '' });
    expect((await watchOf(offer.id)).endedAt).toBeNull();
    await deleteOrder(admin, offer.id);
    const { state, sellerCents, ripenedCents } = await placementOf(offer.id);
    expect({ state, ripenedCents }).toEqual({ state: 'closed', ripenedCents: sellerCents });
    const { endedAt, endReason, projectId } = await watchOf(offer.id);
    expect([endedAt === null, endReason]).toEqual([false, 'stopped']);
    const counts = Object.values(await countLinksByVerdict(projectId ?? ''));
    expect(counts.map(({ total }) => total)).toEqual([0, 0, 0, 0, 0]);
    await expectSoundBooks();
  });

  it('is not shown to a seller whose order staff took over', async () => {
    const { id, seller } = await deliverOffer();
    const admin = await makeUser('Admin');
    await updateOrder(admin, id, { status: 'Rejected' });
    await updateOrder(admin, id, { status: 'Live', linkUrl: 'https://blog.example.com/by-the-team' });
    await checkLink(id, 'ok');
    const own = sellerOrderView(await getSellerOrder(seller, id));
    expect(own.state).toBe('taken_over');
    for (const name of ['check', 'proofId', 'guaranteeEndsAt']) expect(own).not.toHaveProperty(name);
  });

  it('has its guarantee prolonged by the time until a repair', async () => {
    const offer = await deliverOffer();
    await approve(offer);
    await passLinkTime(offer.id, 10 * day);
    await checkLink(offer.id, 'changed');
    await passLinkTime(offer.id, 5 * day);
    await checkLink(offer.id, 'ok');
    const { guaranteeStartsAt, approvedAt } = await placementOf(offer.id);
    const prolonged = (guaranteeStartsAt?.getTime() ?? 0) - (approvedAt?.getTime() ?? 0);
    // The test itself takes a while.
    expect(Math.abs(prolonged - 5 * day)).toBeLessThan(60_000);
    expect((await actionsOf(offer.id)).slice(-2)).toEqual(['link_changed', 'link_repaired']);
  });

  it('has its guarantee prolonged by the time until staff replace the page', async () => {
    const offer = await deliverOffer();
    await approve(offer);
    const { sellerCents, ripenedCents } = await placementOf(offer.id);
    await passLinkTime(offer.id, 9 * day);
    await checkLink(offer.id, 'broken');
    await passLinkTime(offer.id, 6 * day);
    await checkLink(offer.id, 'broken');
    await updateOrder(await makeUser('Admin'), offer.id, { linkUrl: 'https://blog.example.com/moved' });
    await checkLink(offer.id, 'ok');
    // Nine days of ninety.
    expect((await placementOf(offer.id)).ripenedCents).toBe(ripenedCents + Math.floor((sellerCents * 0.6) / 10));
    await expectSoundBooks();
  });

  it('is not replaced by its own seller or buyer as staff', async () => {
    const offer = await deliverOffer();
    await approve(offer);
    await checkLink(offer.id, 'broken');
    for (const side of [offer.seller, offer.buyer]) {
      const change = updateOrder(side, offer.id, { linkUrl: 'https://blog.example.com/moved' });
      await expect(change).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(await watchOf(offer.id)).toMatchObject({ verdict: 'broken', pageUrl: page });
  });

  it('is not proven by its passports after a refund, also if it was removed before', async () => {
    const offer = await deliverOffer();
    const admin = await makeUser('Admin');
    await updateOrder(admin, offer.id, { status: 'Rejected' });
    await updateOrder(admin, offer.id, { status: 'Live', linkUrl: page });
    await checkLink(offer.id, 'ok');
    await updateOrder(admin, offer.id, { linkUrl: '' });
    await updateOrder(admin, offer.id, { status: 'Refunded' });
    const proofs = await db().select().from(linkProofs).where(eq(linkProofs.orderId, offer.id));
    expect(proofs.map(({ revokedReason }) => revokedReason)).toEqual(['refunded', 'refunded']);
  });

  it('has its guarantee prolonged by the time until a repair in a dispute', async () => {
    const offer = await deliverOffer();
    await approve(offer);
    await passLinkTime(offer.id, 10 * day);
    await checkLink(offer.id, 'broken');
    await dispute(offer, 'open');
    await passLinkTime(offer.id, 35 * day);
    await checkLink(offer.id, 'ok');
    const { sellerCents, ripenedCents } = await placementOf(offer.id);
    expect(ripenedCents).toBe(Math.floor(sellerCents * 0.4));
    await dispute(offer, 'withdraw');
    await checkLink(offer.id, 'ok');
    // Ten days of ninety.
    expect((await placementOf(offer.id)).ripenedCents).toBe(ripenedCents + Math.floor((sellerCents * 0.6) / 9));
    await expectSoundBooks();
  });

  it('adds up to the seller’s share to the cent in any year of breaks, repairs, unknown weeks and disputes', {
    timeout: 300_000,
  }, async () => {
    const verdict = fc.constantFrom<LinkVerdict>('ok', 'ok', 'ok', 'changed', 'broken', 'broken', 'unknown');
    const quarrel = fc.oneof(
      { weight: 8, arbitrary: fc.constant(null) },
      { weight: 2, arbitrary: fc.constantFrom('open', 'withdraw') },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 100 }) },
    );
    const step = fc.record({ hours: fc.integer({ min: 1, max: 500 }), verdict, quarrel });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1_001, max: 99_999 }),
        fc.array(step, { minLength: 1, maxLength: 25 }),
        async (chargeCents, steps) => {
          const offer = await deliverOffer(chargeCents);
          await approve(offer);
          for (const { hours, verdict: found, quarrel: taken } of steps) {
            await passLinkTime(offer.id, hours * 3_600_000);
            if (taken !== null) await dispute(offer, taken);
            const before = await placementOf(offer.id);
            if ((await watchOf(offer.id)).endedAt === null) await checkLink(offer.id, found);
            const { sellerCents, sellerReturnedCents, ripenedCents, state } = await placementOf(offer.id);
            expect(ripenedCents + sellerReturnedCents).toBeLessThanOrEqual(sellerCents);
            if (found !== 'ok') expect(ripenedCents).toBe(before.ripenedCents);
            if (!['approved', 'disputed'].includes(state)) expect(ripenedCents + sellerReturnedCents).toBe(sellerCents);
          }
          await expectSoundBooks();
          await expectToldOnce(offer);
        },
      ),
      { numRuns: propertyRuns(15), endOnFailure: true },
    );
  });
});

/** Opens, withdraws or decides the dispute of an order. A step without a dispute or with an open one does nothing. */
async function dispute({ id, buyer }: Offer, taken: string | number): Promise<void> {
  const { state } = await placementOf(id);
  if (taken === 'open') {
    const complaint = { reason: 'other', text: 'The link is on another page.' };
    if (state === 'approved') await openDispute(buyer, id, 'buyer', complaint);
    return;
  }
  const [open] = await db()
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.orderId, id), eq(disputes.state, 'open')));
  if (!open) return;
  if (typeof taken === 'string') await withdrawDispute(buyer, open.id);
  else await decideDispute(await makeUser('Admin'), open.id, { buyerPercent: taken, note: 'Decided.' });
}

/**
 * Each piece of news about a link is followed by another one, and each side is notified of it once. After a dispute, a
 * missing link is announced again, with the time for its repair.
 */
async function expectToldOnce({ id, buyer, seller }: Offer): Promise<void> {
  const news = (await actionsOf(id)).filter((action) => /^link_|^dispute_withdrawn$/.test(action));
  news.forEach((action, index) => {
    if (action.startsWith('link_')) expect(action).not.toBe(news[index + 1]);
  });
  const sent = await db().select().from(notices).where(eq(notices.orderId, id));
  for (const { userId } of [buyer, seller])
    for (const action of ['link_changed', 'link_broken', 'link_repaired', 'lost']) {
      const kinds = [`order.${action}`, `placement.${action}`, `order.link_${action}`];
      const told = sent.filter((notice) => notice.userId === userId && kinds.includes(notice.kind));
      expect(told.length, action).toBe((await actionsOf(id)).filter((one) => one === action).length);
    }
}
