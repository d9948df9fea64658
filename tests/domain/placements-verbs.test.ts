import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { placementEvents, placements } from '@/db/schema/placements';
import { settings } from '@/db/schema/settings';
import { getWalletBalance } from '@/lib/ledger/balance';
import { orderView } from '@/lib/orders/contract';
import { acceptOffers, declineOffers, declineOffersBody } from '@/lib/orders/order/answer-offers';
import { getSellerOrder, listSellerOrders, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { staffPlacementBody } from '@/lib/orders/placements/schemas';
import { deleteUser } from '@/lib/workflows/delete-user';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { outboxOf } from '@/tests/setup/outbox';
import {
  accept,
  actByStaff,
  answerDays,
  approve,
  askForDays,
  cancel,
  decline,
  deliver,
  page,
  placementOf,
  release,
  revise,
} from '@/tests/setup/placement-verbs';
import { settle } from '@/tests/setup/settle';
import { startPublisher } from '@/tests/setup/start-publisher';

startPublisher();

const dayMs = 24 * 3_600_000;
const accounts = async () => {
  const rows = await db().execute<{ kind: string; cents: number }>(sql`
    select a.kind, sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end)::int as cents
    from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
    where a.kind in ('reserved', 'revenue', 'seller_pending', 'seller_payable') group by a.kind`);
  return Object.fromEntries(rows.map(({ kind, cents }) => [kind, cents]));
};
const setDue = (orderId: number, values: Partial<typeof placements.$inferInsert>) =>
  db().update(placements).set(values).where(eq(placements.orderId, orderId));

describe('answers to several offers', () => {
  it('are one each: stale ones, those of others and answered ones are refused, and the due day is told', async () => {
    const seller = await makeUser('Seller');
    const offers = [];
    for (let left = 4; left > 0; left -= 1) offers.push(await makeOffer(2_000, { tatDays: 5 }, { seller }));
    const [first, second, stale, declined] = offers.map(({ id }) => id);
    const foreign = (await makeOffer(2_000)).id;
    const ids = [first ?? 0, second ?? 0, stale ?? 0, foreign, 999_999, first ?? 0];
    const { results } = await acceptOffers(seller, { ids, versions: { [stale ?? 0]: 7 } });
    const dueAt = async (id = 0) => (await placementOf(id)).deliveryDueAt?.toISOString();
    const unknown = (id: number) => `Order #${id} does not exist or was deleted.`;
    expect(results).toEqual([
      { id: first, ok: true, dueAt: await dueAt(first) },
      { id: second, ok: true, dueAt: await dueAt(second) },
      { id: stale, ok: false, code: 'conflict', error: expect.any(String) },
      { id: foreign, ok: false, code: 'not_found', error: unknown(foreign) },
      { id: 999_999, ok: false, code: 'not_found', error: unknown(999_999) },
    ]);
    const refusal = { ids: [declined ?? 0, first ?? 0], reason: 'Off topic' };
    // The same request twice at once declines each offer once.
    const both = await Promise.all([declineOffers(seller, refusal), declineOffers(seller, refusal)]);
    const oks = both.flatMap((answer) => answer.results).filter(({ ok }) => ok);
    expect(oks).toEqual([{ id: declined, ok: true }]);
    expect(await placementOf(declined ?? 0)).toMatchObject({ state: 'declined' });
    expect(await placementOf(foreign)).toMatchObject({ state: 'offered' });
    expect(declineOffersBody.safeParse({ ids: [1], reason: ' ' }).success).toBe(false);
    await expectSoundBooks();
  });
});

describe('the seller', () => {
  it('accepts, delivers after a change, and earns the share at the approval', async () => {
    const before = await accounts();
    const offer = await makeOffer(10_001, { tatDays: 5 });
    const { id, buyer } = offer;
    const accepted = sellerOrderView(await accept(offer));
    expect(accepted).toMatchObject({ state: 'accepted', earnsCents: 5_000, currency: 'USD', version: 2 });
    const { deliveryDueAt } = await placementOf(id);
    expect((deliveryDueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(6.9 * dayMs);
    expect((deliveryDueAt?.getTime() ?? 0) - Date.now()).toBeLessThan(7.1 * dayMs);
    await deliver(offer);
    const revised = orderView(await revise(offer));
    expect(revised.placement).toMatchObject({ state: 'in_revision', revisionsLeft: 2, deliveredUrl: page });
    expect(revised).toMatchObject({ status: 'Processing', linkUrl: '' });
    await deliver(offer, `${page}?2`);
    const approved = orderView(await approve(offer));
    expect(approved).toMatchObject({ status: 'Live', linkUrl: `${page}?2` });
    expect(approved.placement?.approvedAt).not.toBeNull();
    const after = await accounts();
    expect((after.seller_pending ?? 0) - (before.seller_pending ?? 0)).toBe(3_000);
    expect((after.seller_payable ?? 0) - (before.seller_payable ?? 0)).toBe(2_000);
    expect((after.revenue ?? 0) - (before.revenue ?? 0)).toBe(5_001);
    expect(after.reserved ?? 0).toBe(before.reserved ?? 0);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    const events = await db()
      .select()
      .from(placementEvents)
      .where(eq(placementEvents.orderId, id))
      .orderBy(asc(placementEvents.id));
    expect(events.map(({ action, role }) => `${role} ${action}`)).toEqual([
      'buyer ordered',
      'seller accepted',
      'seller delivered',
      'buyer revision_requested',
      'seller delivered',
      'buyer approved',
    ]);
    const lines = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, String(id)));
    expect(lines.map(({ action }) => action).sort()).toEqual([
      'order.created',
      'placement.accepted',
      'placement.approved',
      'placement.delivered',
      'placement.delivered',
      'placement.revision_requested',
    ]);
    await expectSoundBooks();
  });

  it('declines with a reason, and the buyer receives the whole charge', async () => {
    const offer = await makeOffer(7_777);
    const view = sellerOrderView(await decline(offer));
    expect(view).toMatchObject({ state: 'declined', earnsCents: 0 });
    expect(await getWalletBalance(offer.buyer.userId)).toBe(7_777);
    const [mail] = (await outboxOf(offer.buyer.email)).filter(({ kind }) => kind === 'order-refund');
    const text = mail && 'text' in mail ? mail.text : '';
    expect(text).toContain('Off topic');
    for (const secret of [offer.seller.name, offer.seller.email, '38.88']) expect(text).not.toContain(secret);
    await expectSoundBooks();
  });

  it.each([
    'https://other.example/article',
    'https://example.com.evil.example/article',
    'https://evil-example.com/',
    'http://192.0.2.1/article',
  ])('cannot deliver %s for a site on example.com', async (url) => {
    const offer = await makeOffer();
    await accept(offer);
    await expect(deliver(offer, url)).rejects.toMatchObject({
      code: 'unprocessable',
      status: 422,
      message: 'The page must be on example.com, the site that was ordered.',
    });
    expect((await placementOf(offer.id)).state).toBe('accepted');
  });

  it.each(['https://blog.example.com:8443/article', `https://blog.example.com/${'ж'.repeat(400)}`])(
    'cannot deliver %s, which link checks could never open',
    async (url) => {
      const offer = await makeOffer();
      await accept(offer);
      await expect(deliver(offer, url)).rejects.toMatchObject({
        code: 'unprocessable',
        message: expect.stringMatching('Link checks cannot open this page'),
      });
    },
  );

  it('cannot deliver a page of another blog of the same host', async () => {
    const offer = await makeOffer(10_000, { url: 'https://mine.blogspot.com', urlKey: 'mine.blogspot.com' });
    await accept(offer);
    await expect(deliver(offer, 'https://yours.blogspot.com/a')).rejects.toMatchObject({ code: 'unprocessable' });
    expect(sellerOrderView(await deliver(offer, 'http://www.mine.blogspot.com/a')).state).toBe('delivered');
  });

  it('delivers a page whose name is written in other letters than that of the site', async () => {
    const offer = await makeOffer(10_000, { url: 'https://münchen.example', urlKey: 'münchen.example' });
    await accept(offer);
    expect(sellerOrderView(await deliver(offer, 'https://blog.xn--mnchen-3ya.example./a')).state).toBe('delivered');
  });

  it('asks for more days once, and the granted days move the due day', async () => {
    const offer = await makeOffer();
    await accept(offer);
    const { deliveryDueAt } = await placementOf(offer.id);
    await expect(answerDays(offer, true)).rejects.toMatchObject({ code: 'conflict' });
    expect(sellerOrderView(await askForDays(offer)).extension).toMatchObject({
      days: 4,
      grantedAt: null,
      refusedAt: null,
    });
    await expect(askForDays(offer)).rejects.toMatchObject({ code: 'conflict' });
    const granted = orderView(await answerDays(offer, true)).placement;
    expect(granted?.extension?.grantedAt).not.toBeNull();
    const moved = (await placementOf(offer.id)).deliveryDueAt;
    expect((moved?.getTime() ?? 0) - (deliveryDueAt?.getTime() ?? 0)).toBe(4 * dayMs);
    await expect(answerDays(offer, false)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keeps the due day when the buyer refuses more days', async () => {
    const offer = await makeOffer();
    await accept(offer);
    const { deliveryDueAt } = await placementOf(offer.id);
    await askForDays(offer);
    expect(orderView(await answerDays(offer, false)).placement?.extension?.refusedAt).not.toBeNull();
    expect((await placementOf(offer.id)).deliveryDueAt).toEqual(deliveryDueAt);
    await expect(askForDays(offer)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('reads no other seller’s order, and changes none', async () => {
    const offer = await makeOffer();
    const other = { ...offer, seller: await makeUser('Seller') };
    const { codes } = await settle<unknown>([
      getSellerOrder(other.seller, offer.id),
      accept(other),
      decline(other),
      deliver(other),
      askForDays(other),
      release(other),
      accept({ ...offer, seller: offer.buyer }),
    ]);
    expect(codes).toEqual(Array.from({ length: 7 }, () => 'not_found'));
    expect((await placementOf(offer.id)).version).toBe(1);
  });

  it('sees nothing of the buyer, the project, the price and the margin', async () => {
    const offer = await makeOffer(12_345);
    const text = JSON.stringify([
      sellerOrderView(await getSellerOrder(offer.seller, offer.id)),
      (await listSellerOrders(offer.seller, { limit: 5 })).rows.map(sellerOrderView),
    ]);
    for (const secret of [
      offer.buyer.userId,
      offer.buyer.name,
      offer.buyer.email,
      '12345',
      '123.45',
      '6173',
      'project',
    ])
      expect(text).not.toContain(secret);
  });

  it('lists states and tabs by cursor, newest first', async () => {
    const offers: Offer[] = [];
    const seller = await makeUser('Seller');
    for (let made = 0; made < 5; made += 1) {
      offers.push(await makeOffer(1_000, {}, { seller }));
    }
    const [first, second, third] = offers;
    if (!first || !second || !third) throw new Error('No offers.');
    await accept(first);
    await accept(third);
    await deliver(third);
    await revise(third);
    await decline(second);
    const ids = async (query: Parameters<typeof listSellerOrders>[1]) => {
      const { rows, total } = await listSellerOrders(seller, query);
      return { ids: rows.map(({ id }) => id), total };
    };
    const [a, b, c, d, e] = offers.map(({ id }) => id);
    expect(await ids({ limit: 10 })).toEqual({ ids: [e, d, c, b, a], total: 5 });
    expect(await ids({ limit: 10, state: 'new' })).toEqual({ ids: [e, d], total: 2 });
    expect(await ids({ limit: 10, state: 'publish' })).toEqual({ ids: [c, a], total: 2 });
    expect(await ids({ limit: 10, state: 'in_revision' })).toEqual({ ids: [c], total: 1 });
    expect(await ids({ limit: 10, state: 'closed' })).toEqual({ ids: [b], total: 1 });
    expect(await ids({ limit: 10, state: 'guarantee' })).toEqual({ ids: [], total: 0 });
    expect(await ids({ limit: 1, offset: 1, state: 'publish' })).toEqual({ ids: [a], total: 2 });
    const next = { toward: 'next' as const, id: String(c) };
    expect(await ids({ limit: 1, state: 'publish', cursor: next })).toEqual({ ids: [a], total: 2 });
    expect(await ids({ limit: 1, state: 'closed', cursor: { toward: 'last' } })).toEqual({ ids: [b], total: 1 });
  });
});

describe('the buyer', () => {
  it('cancels an offer', async () => {
    const offer = await makeOffer(5_000);
    expect(orderView(await cancel(offer))).toMatchObject({ status: 'Refunded', placement: { state: 'cancelled' } });
    expect(await getWalletBalance(offer.buyer.userId)).toBe(5_000);
  });

  it('cancels an accepted order only when it is late or the seller agreed', async () => {
    const offer = await makeOffer(5_000);
    await accept(offer);
    await expect(cancel(offer)).rejects.toMatchObject({
      code: 'conflict',
      message: `Order #${offer.id} is accepted: you can cancel it only if the delivery is late or the seller agrees.`,
    });
    await setDue(offer.id, { deliveryDueAt: new Date(Date.now() - 1_000) });
    expect(orderView(await cancel(offer)).placement?.state).toBe('cancelled');

    const other = await makeOffer(5_000);
    await accept(other);
    await release(other);
    await expect(release(other)).rejects.toMatchObject({ code: 'conflict' });
    expect(orderView(await cancel(other)).placement?.state).toBe('cancelled');
    await expectSoundBooks();
  });

  it('cannot cancel a delivery, and a delivery ends the agreement to a cancellation', async () => {
    const offer = await makeOffer();
    await accept(offer);
    await release(offer);
    await deliver(offer);
    await expect(cancel(offer)).rejects.toMatchObject({ code: 'conflict' });
    expect(orderView(await revise(offer)).placement?.mayCancel).toBe(false);
    await expect(cancel(offer)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('requests at most three changes', async () => {
    const offer = await makeOffer();
    await accept(offer);
    for (let used = 0; used < 3; used += 1) {
      await deliver(offer);
      await revise(offer);
    }
    await deliver(offer);
    await expect(revise(offer)).rejects.toMatchObject({
      code: 'conflict',
      message: `Order #${offer.id} is delivered: all 3 changes were requested. Approve it or open a dispute.`,
    });
  });

  it('changes no order of another buyer, and none without a placement', async () => {
    const offer = await makeOffer();
    const other = { ...offer, buyer: await makeUser() };
    const { codes } = await settle<unknown>([
      cancel(other),
      approve(other),
      revise(other),
      answerDays(other, true),
      approve({ ...offer, buyer: offer.seller }),
    ]);
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'not_found'));
    const byStaff = await makeOffer(1_000, { isFulfilledByStaff: true });
    await expect(approve(byStaff)).rejects.toMatchObject({
      code: 'conflict',
      message: `Order #${byStaff.id} is not fulfilled by a seller.`,
    });
  });

  it('changes nothing with a stale version', async () => {
    const offer = await makeOffer();
    await accept(offer, 1);
    await deliver(offer);
    await expect(approve(offer, 2)).rejects.toMatchObject({ code: 'conflict' });
    expect(orderView(await approve(offer, 3)).placement?.state).toBe('approved');
  });
});

describe('staff', () => {
  it('act for both sides, and may enter a page on any domain', async () => {
    const admin = await makeUser('Admin');
    const { id, seller, buyer } = await makeOffer();
    await actByStaff(admin, id, { action: 'accept' });
    const elsewhere = { action: 'deliver', url: 'https://elsewhere.example.net/page' };
    await expect(actByStaff(admin, id, elsewhere)).rejects.toMatchObject({ code: 'link_not_in_order' });
    await actByStaff(admin, id, { ...elsewhere, reason: 'The site moved to this domain.' });
    const row = await actByStaff(admin, id, { action: 'approve' });
    expect(row).toMatchObject({ status: 'Live', linkUrl: elsewhere.url });
    const events = await db().select().from(placementEvents).where(eq(placementEvents.orderId, id));
    expect(events.filter(({ actorId }) => actorId === admin.userId).map(({ role }) => role)).toEqual([
      'staff',
      'staff',
      'staff',
    ]);
    for (const { email } of [seller, buyer]) expect(JSON.stringify(await outboxOf(email))).not.toContain(admin.email);
    await expect(actByStaff(admin, id, { action: 'takeOver' })).rejects.toMatchObject({ code: 'conflict' });
    expect(staffPlacementBody.safeParse({ action: 'deliver' }).success).toBe(false);
    await expectSoundBooks();
  });

  it('take an order over: the charge is revenue, and the seller earns nothing', async () => {
    const admin = await makeUser('Admin');
    const offer = await makeOffer(9_000);
    await accept(offer);
    const before = await accounts();
    const row = await actByStaff(admin, offer.id, { action: 'takeOver' });
    expect(row).toMatchObject({ status: 'Processing', placement: { state: 'taken_over' } });
    const after = await accounts();
    expect((after.revenue ?? 0) - (before.revenue ?? 0)).toBe(9_000);
    expect(sellerOrderView(await getSellerOrder(offer.seller, offer.id)).earnsCents).toBe(0);
    await expect(deliver(offer)).rejects.toThrow(`Order #${offer.id} is taken over: only`);
    await expectSoundBooks();
  });

  it('cannot act on their own order', async () => {
    const offer = await makeOffer();
    const own = { ...offer.buyer, role: 'Admin' };
    for (const action of ['accept', 'decline', 'cancel', 'takeOver'])
      await expect(actByStaff(own, offer.id, { action })).rejects.toMatchObject({ code: 'forbidden' });
    const seller = { ...offer.seller, role: 'Admin' };
    await expect(actByStaff(seller, offer.id, { action: 'accept' })).rejects.toMatchObject({ code: 'forbidden' });
    expect((await placementOf(offer.id)).version).toBe(1);
  });

  it('need an approval to cancel or decline above the limit', async () => {
    const first = await makeStaff('ManageOrders');
    await makeStaff('ManageOrders');
    await db()
      .insert(settings)
      .values({ key: 'approvals', value: { limitCents: 5_000 } });
    try {
      const offer = await makeOffer(6_000);
      await expect(actByStaff(first, offer.id, { action: 'decline' })).rejects.toThrow('requires approval');
      expect((await placementOf(offer.id)).state).toBe('offered');
      const [request] = await db()
        .select()
        .from(approvals)
        .where(eq(approvals.subject, `order:${offer.id}`));
      expect(request?.requestedBy).toBe(first.userId);
    } finally {
      await db().delete(settings).where(eq(settings.key, 'approvals'));
    }
  });

  it('who delete a seller take over the open orders', async () => {
    const admin = await makeUser('Admin');
    const [open, approved] = [await makeOffer(1_000), await makeOffer(2_000)];
    const seller = open.seller;
    await setDue(approved.id, { sellerId: seller.userId });
    const done = { ...approved, seller };
    await accept(done);
    await deliver(done);
    await approve(done);
    await deleteUser(admin, seller.userId);
    expect((await placementOf(open.id)).state).toBe('taken_over');
    expect((await placementOf(approved.id)).state).toBe('approved');
    await expectSoundBooks();
  });
});
