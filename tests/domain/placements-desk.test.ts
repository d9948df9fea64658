import { asc, desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { disputes } from '@/db/schema/disputes';
import { notices } from '@/db/schema/notices';
import { type OrderStatus, orders } from '@/db/schema/orders';
import { type PlacementState, placementEvents, placements } from '@/db/schema/placements';
import { settings } from '@/db/schema/settings';
import { approve } from '@/lib/approvals/decide';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { takeStaffAction } from '@/lib/orders/order/authorize';
import { deleteOrder } from '@/lib/orders/order/delete';
import type { UpdateOrderInput } from '@/lib/orders/order/schemas';
import { updateOrder } from '@/lib/orders/order/update';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { staffPlacementBody } from '@/lib/orders/placements/schemas';
import { movePlacement, type Step } from '@/lib/orders/placements/transition';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { outboxOf } from '@/tests/setup/outbox';
import { startPublisher } from '@/tests/setup/start-publisher';

startPublisher();

const link = 'https://blog.example.com/elsewhere';
const delivered = 'https://blog.example.com/page';

/** The steps from an offer to each state. */
const steps: Partial<Record<PlacementState, Step[]>> = {
  offered: [],
  accepted: [{ action: 'accepted', role: 'seller' }],
  delivered: [
    { action: 'accepted', role: 'seller' },
    { action: 'delivered', role: 'seller', set: { deliveredUrl: delivered } },
  ],
};
steps.in_revision = [...(steps.delivered ?? []), { action: 'revision_requested', role: 'buyer', reason: 'Anchor' }];
steps.approved = [...(steps.delivered ?? []), { action: 'approved', role: 'buyer' }];
steps.disputed = [...(steps.delivered ?? []), { action: 'disputed', role: 'buyer', reason: 'other' }];

async function offerIn(state: PlacementState, chargeCents = 10_001): Promise<Offer> {
  const offer = await makeOffer(chargeCents);
  for (const step of steps[state] ?? []) {
    const actor = step.role === 'seller' ? offer.seller : offer.buyer;
    await db().transaction(async (tx) => movePlacement(tx, actor, await lockPlacement(tx, offer.id), step));
  }
  if (state === 'disputed')
    await db().insert(disputes).values({
      id: newId(),
      orderId: offer.id,
      openedBy: offer.buyer.userId,
      role: 'buyer',
      reason: 'other',
      fromState: 'delivered',
      amountCents: chargeCents,
    });
  return offer;
}

const stateOf = async (orderId: number) => {
  const [row] = await db().select().from(placements).where(eq(placements.orderId, orderId));
  return row?.state;
};
const bellOf = async (userId: string) =>
  (await db().select().from(notices).where(eq(notices.userId, userId)).orderBy(asc(notices.id))).map(
    ({ kind }) => kind,
  );
const actionsOf = async (orderId: number) => {
  const events = await db()
    .select()
    .from(placementEvents)
    .where(eq(placementEvents.orderId, orderId))
    .orderBy(asc(placementEvents.id));
  return events.filter(({ role }) => role === 'staff').map(({ action }) => action);
};

type Case = [from: PlacementState, status: OrderStatus, actions: string[] | RegExp, to?: PlacementState];
const cases: Case[] = [
  ['offered', 'Pending', [], 'offered'],
  ['offered', 'Processing', ['accepted'], 'accepted'],
  ['offered', 'Live', ['accepted', 'delivered', 'approved'], 'approved'],
  ['offered', 'Completed', ['accepted', 'delivered', 'approved', 'closed'], 'closed'],
  ['offered', 'Refunded', ['cancelled'], 'cancelled'],
  ['offered', 'Rejected', ['taken_over'], 'taken_over'],
  ['accepted', 'Pending', /is accepted: it cannot become Pending again/],
  ['accepted', 'Processing', [], 'accepted'],
  ['accepted', 'Live', ['delivered', 'approved'], 'approved'],
  ['accepted', 'Refunded', ['cancelled'], 'cancelled'],
  ['in_revision', 'Live', ['delivered', 'approved'], 'approved'],
  ['in_revision', 'Refunded', ['cancelled'], 'cancelled'],
  ['delivered', 'Live', ['approved'], 'approved'],
  ['delivered', 'Completed', ['approved', 'closed'], 'closed'],
  ['delivered', 'Refunded', ['cancelled'], 'cancelled'],
  ['delivered', 'Rejected', ['taken_over'], 'taken_over'],
  ['disputed', 'Processing', [], 'disputed'],
  ['disputed', 'Live', /is disputed: only a delivery can be approved/],
  ['disputed', 'Refunded', ['settled'], 'settled'],
  ['disputed', 'Rejected', /is disputed: it can be taken over only before/],
  ['approved', 'Live', [], 'approved'],
  ['approved', 'Completed', ['closed'], 'closed'],
  ['approved', 'Refunded', ['settled'], 'settled'],
  ['approved', 'Processing', /is approved: only an offer can be accepted/],
  ['approved', 'Rejected', /is approved: it can be taken over only before/],
];

describe('a change of the status at the desk', () => {
  it.each(cases)('of an order that is %s to %s', async (from, status, expected, to) => {
    const { id, buyer, seller } = await offerIn(from);
    const admin = await makeUser('Admin');
    const changed = updateOrder(admin, id, {
      status,
      ...(status === 'Live' || status === 'Completed' ? { linkUrl: link } : {}),
    });
    if (expected instanceof RegExp) {
      await expect(changed).rejects.toMatchObject({ code: 'conflict' });
      await expect(changed).rejects.toThrow(expected);
      return;
    }
    const row = await changed;
    expect(row.status).toBe(status);
    expect(await actionsOf(id)).toEqual(expected);
    expect(await stateOf(id)).toBe(to);
    if (to === 'approved' || to === 'closed') expect(row.linkUrl).toBe(link);
    expect(await getWalletBalance(buyer.userId)).toBe(status === 'Refunded' ? 10_001 : 0);
    for (const { email } of [buyer, seller]) expect(JSON.stringify(await outboxOf(email))).not.toContain(admin.email);
  });

  it.each<[PlacementState, UpdateOrderInput, string]>([
    ['offered', { status: 'Processing' }, 'accepted'],
    ['offered', { status: 'Live', linkUrl: link }, 'approved'],
    ['offered', { status: 'Refunded' }, 'cancelled'],
    ['offered', { status: 'Refunded', isRejection: true }, 'declined'],
    ['accepted', { status: 'Rejected' }, 'rejected'],
    ['accepted', { linkUrl: link }, 'approved'],
    ['accepted', {}, 'comment'],
    ['disputed', { status: 'Refunded' }, 'settled'],
    // What is payable to the seller is not part of the settlement.
    ['approved', { status: 'Refunded' }, 'refunded'],
    ['approved', { status: 'Completed' }, 'comment'],
    ['approved', { status: 'Completed', linkUrl: link }, 'link'],
    ['approved', { linkUrl: link }, 'link'],
  ])('of an order that is %s notifies the buyer once: %o with a comment is %s', async (from, input, kind) => {
    const { id, buyer } = await offerIn(from);
    const before = await bellOf(buyer.userId);
    await updateOrder(await makeUser('Admin'), id, { ...input, adminComments: 'Our words.' });
    expect((await bellOf(buyer.userId)).slice(before.length)).toEqual([`order.${kind}`]);
  });

  it('leaves sound books in every way', () => expectSoundBooks());

  it('sends one mail to each side for all its verbs', async () => {
    const { id, buyer, seller } = await offerIn('offered');
    const before = { buyer: await outboxOf(buyer.email), seller: await outboxOf(seller.email) };
    await updateOrder(await makeUser('Admin'), id, { linkUrl: link, adminComments: '' });
    expect((await outboxOf(buyer.email)).length - before.buyer.length).toBe(1);
    expect((await outboxOf(seller.email)).length - before.seller.length).toBe(1);
    const history = await getTimeline({ id, accountId: buyer.userId }, 'buyer');
    expect(history.map(({ by, texts }) => [by, ...texts])).toEqual([
      ['You', 'Ordered, $100.01 paid from the wallet'],
      ['Our team', 'Status changed from Pending to Processing'],
      ['Our team', 'Status changed from Processing to Completed', 'Live link set'],
    ]);
  });

  it.each([
    [{ status: 'Refunded', isRejection: true }, 'was rejected and refunded', '$100.01 was returned to your wallet.'],
    [{ status: 'Rejected' }, 'is now Rejected', 'Its status is now Rejected; it was Pending.'],
  ] as const)('%j mails the buyer once, with the comment', async (input, subject, text) => {
    const { id, buyer } = await offerIn('offered');
    const before = await outboxOf(buyer.email);
    await updateOrder(await makeUser('Admin'), id, { ...input, adminComments: 'No posts this month.' });
    const [mail, ...more] = (await outboxOf(buyer.email)).slice(before.length);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: `Order #${id} ${subject}`, text: expect.stringContaining(text) });
    expect(mail?.text).toContain('No posts this month.');
  });

  it('makes the order Live by a link alone, and asks for the link otherwise', async () => {
    const admin = await makeUser('Admin');
    const accepted = await offerIn('accepted');
    await expect(updateOrder(admin, accepted.id, { status: 'Live' })).rejects.toThrow('enter its live link first');
    await expect(
      updateOrder(admin, (await offerIn('offered')).id, { status: 'Processing', linkUrl: link }),
    ).rejects.toThrow('a live link makes it Live');
    expect(await updateOrder(admin, accepted.id, { linkUrl: link })).toMatchObject({ status: 'Live', linkUrl: link });
    const own = await offerIn('delivered');
    expect(await updateOrder(admin, own.id, { status: 'Live' })).toMatchObject({ status: 'Live', linkUrl: delivered });
    expect(await updateOrder(admin, own.id, { linkUrl: link })).toMatchObject({ status: 'Live', linkUrl: link });
    expect(await stateOf(own.id)).toBe('approved');
  });

  it.each(['Live', 'Completed'] as const)(
    'keeps the delivered link when the whole form is saved with the status %s',
    async (status) => {
      const { id, buyer } = await offerIn('delivered');
      const before = (await outboxOf(buyer.email)).length;
      const form = { status, linkUrl: '', adminComments: '' };
      expect(await updateOrder(await makeUser('Admin'), id, form)).toMatchObject({ status, linkUrl: delivered });
      expect((await outboxOf(buyer.email)).length - before).toBe(1);
    },
  );

  it('leaves an order that it reopens to staff', async () => {
    const admin = await makeUser('Admin');
    const { id } = await offerIn('offered');
    await updateOrder(admin, id, { status: 'Refunded', isRejection: true });
    await updateOrder(admin, id, { status: 'Processing' });
    const [order] = await db().select().from(orders).where(eq(orders.id, id));
    expect(order).toMatchObject({ status: 'Processing', isFulfilledBySeller: false });
  });

  it('rejects and refunds an offer as declined', async () => {
    const { id, buyer } = await offerIn('offered');
    const admin = await makeUser('Admin');
    const row = await updateOrder(admin, id, { status: 'Refunded', isRejection: true, adminComments: 'Sorry.' });
    expect(row).toMatchObject({ status: 'Refunded', adminComments: 'Sorry.', placement: { state: 'declined' } });
    expect(await getWalletBalance(buyer.userId)).toBe(10_001);
    expect(await updateOrder(admin, id, { status: 'Live', linkUrl: link })).toMatchObject({ status: 'Live' });
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    await expectSoundBooks();
  });

  it('changes comments without a step of the placement', async () => {
    const { id } = await offerIn('delivered');
    await updateOrder(await makeUser('Admin'), id, { adminComments: 'Please wait.' });
    expect(await actionsOf(id)).toEqual([]);
  });

  it('closes the dispute of an order that it refunds', async () => {
    const { id } = await offerIn('disputed');
    const admin = await makeUser('Admin');
    await updateOrder(admin, id, { status: 'Refunded' });
    const [dispute] = await db().select().from(disputes).where(eq(disputes.orderId, id));
    expect(dispute).toMatchObject({
      state: 'settled',
      outcome: 'decided',
      buyerPercent: 100,
      returnedCents: 10_001,
      decidedBy: admin.userId,
    });
  });

  it('is refused to the buyer and to the seller of the order', async () => {
    const { id, buyer, seller } = await offerIn('offered');
    for (const own of [buyer, seller])
      await expect(updateOrder({ ...own, role: 'Admin' }, id, { status: 'Processing' })).rejects.toMatchObject({
        code: 'forbidden',
      });
  });

  it('needs a second person for a refund above the limit, who carries it out through the verbs', async () => {
    const [first, second] = [await makeStaff('ManageOrders'), await makeStaff('ManageOrders')];
    await db()
      .insert(settings)
      .values({ key: 'approvals', value: { limitCents: 5_000 } });
    try {
      for (const [state, to] of [
        ['accepted', 'cancelled'],
        ['disputed', 'settled'],
      ] as const) {
        const { id, buyer } = await offerIn(state);
        await expect(updateOrder(first, id, { status: 'Refunded' })).rejects.toThrow('requires approval');
        expect(await stateOf(id)).toBe(state);
        const [request] = await db()
          .select()
          .from(approvals)
          .where(eq(approvals.subject, `order:${id}`));
        await approve(second, request?.id ?? '', approvalExecutors);
        expect(await stateOf(id)).toBe(to);
        expect(await getWalletBalance(buyer.userId)).toBe(10_001);
      }
    } finally {
      await db().delete(settings).where(eq(settings.key, 'approvals'));
    }
    await expectSoundBooks();
  });

  it('refuses an approval that was requested before the delivery was approved', async () => {
    const [first, second] = [await makeStaff('ManageOrders'), await makeStaff('ManageOrders')];
    await db()
      .insert(settings)
      .values({ key: 'approvals', value: { limitCents: 5_000 } });
    try {
      const { id, buyer } = await offerIn('delivered');
      await expect(updateOrder(first, id, { status: 'Refunded' })).rejects.toThrow('requires approval');
      await db().transaction(async (tx) =>
        movePlacement(tx, buyer, await lockPlacement(tx, id), { action: 'approved', role: 'buyer' }),
      );
      const [request] = await db()
        .select()
        .from(approvals)
        .where(eq(approvals.subject, `order:${id}`));
      await expect(approve(second, request?.id ?? '', approvalExecutors)).rejects.toThrow('has changed since');
      expect(await stateOf(id)).toBe('approved');
    } finally {
      await db().delete(settings).where(eq(settings.key, 'approvals'));
    }
  });

  it('saves the comment and the reason of a refund with its approval, and no other comment', async () => {
    const [first, second] = [await makeStaff('ManageOrders'), await makeStaff('ManageOrders')];
    await db()
      .insert(settings)
      .values({ key: 'approvals', value: { limitCents: 5_000 } });
    const approveRefundOf = async (id: number) => {
      const [request] = await db()
        .select()
        .from(approvals)
        .where(eq(approvals.subject, `order:${id}`));
      await approve(second, request?.id ?? '', approvalExecutors);
      const [order] = await db().select().from(orders).where(eq(orders.id, id));
      const [event] = await db()
        .select()
        .from(placementEvents)
        .where(eq(placementEvents.orderId, id))
        .orderBy(desc(placementEvents.id));
      return { comment: order?.adminComments, reason: event?.reason };
    };
    try {
      const commented = await offerIn('accepted');
      const form = { status: 'Refunded', isRejection: false, adminComments: 'Sorry.' } as const;
      await expect(updateOrder(first, commented.id, form)).rejects.toThrow('requires approval');
      expect(await approveRefundOf(commented.id)).toEqual({ comment: 'Sorry.', reason: '' });
      const declined = await offerIn('offered');
      const refusal = staffPlacementBody.parse({ action: 'decline', reason: 'Off topic' });
      await expect(takeStaffAction(first, declined.id, refusal)).rejects.toThrow('requires approval');
      await updateOrder(first, declined.id, { adminComments: 'Written meanwhile.' });
      expect(await approveRefundOf(declined.id)).toEqual({ comment: 'Written meanwhile.', reason: 'Off topic' });
    } finally {
      await db().delete(settings).where(eq(settings.key, 'approvals'));
    }
  });
});

describe('deleting an order that a seller fulfills', () => {
  it.each(['offered', 'accepted', 'delivered', 'in_revision'] as const)(
    'takes it over when it is %s',
    async (state) => {
      const { id } = await offerIn(state);
      await deleteOrder(await makeUser('Admin'), id);
      expect(await stateOf(id)).toBe('taken_over');
      const [order] = await db().select().from(orders).where(eq(orders.id, id));
      expect(order?.deletedAt).not.toBeNull();
    },
  );

  it('closes it after the approval, so that the share of the seller becomes payable', async () => {
    const { id } = await offerIn('approved');
    await deleteOrder(await makeUser('Admin'), id);
    const [placement] = await db().select().from(placements).where(eq(placements.orderId, id));
    expect(placement).toMatchObject({ state: 'closed', ripenedCents: placement?.sellerCents });
    await expectSoundBooks();
  });

  it('waits for the end of a dispute', async () => {
    const { id } = await offerIn('disputed');
    await expect(deleteOrder(await makeUser('Admin'), id)).rejects.toThrow('decide the dispute');
  });
});
