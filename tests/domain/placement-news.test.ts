import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { notices } from '@/db/schema/notices';
import { orders } from '@/db/schema/orders';
import { type AnyActor, systemActor } from '@/lib/access/actor';
import { getNotifications } from '@/lib/notifications/notifications';
import { createOrder } from '@/lib/orders/order/create';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { movePlacement, type Step } from '@/lib/orders/placements/transition';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';

/** A step that the job makes, so that both sides learn of it. */
const step = ({ id }: Offer, made: Step, actor: AnyActor = systemActor('placements', 'job')) =>
  db().transaction(async (tx) => {
    await movePlacement(tx, actor, await lockPlacement(tx, id), made);
  });

const deliveredUrl = 'https://own.example/article';
const dueAt = new Date('2031-05-06T07:08:00Z');
const system = { role: 'system' } as const;

/** A life of a placement with every step but the ends. */
const life: Step[] = [
  { ...system, action: 'reminded' },
  { ...system, action: 'accepted', role: 'staff' },
  { ...system, action: 'extension_asked', role: 'seller', reason: 'The editor is ill', set: { extensionDays: 4 } },
  { ...system, action: 'extension_granted', role: 'buyer', set: { deliveryDueAt: dueAt } },
  { ...system, action: 'became_late' },
  { ...system, action: 'released', role: 'seller' },
  { ...system, action: 'delivered', role: 'staff', set: { deliveredUrl } },
  { ...system, action: 'revision_requested', role: 'buyer', reason: 'Wrong anchor', note: 'Please use the brief.' },
  {
    ...system,
    action: 'disputed',
    role: 'seller',
    reason: 'Not in the brief',
    note: 'The anchor is the requested one.',
  },
  { ...system, action: 'proposal_made', role: 'seller', note: 'The seller proposes 10 %.' },
  { ...system, action: 'dispute_withdrawn', role: 'seller', to: 'in_revision' },
  { ...system, action: 'delivered', role: 'staff', set: { deliveredUrl } },
  { ...system, action: 'approved' },
  { ...system, action: 'settled', buyerPercent: 40, role: 'staff', note: 'Both were right.' },
];

const bellOf = (userId: string) =>
  db()
    .select({ kind: notices.kind, subject: notices.subject, orderId: notices.orderId })
    .from(notices)
    .where(eq(notices.userId, userId))
    .orderBy(asc(notices.id));

const textsOf = async (email: string) =>
  (await outboxOf(email)).map((mail) => `${mail.subject}\n${'html' in mail ? mail.html : ''}\n${mail.text ?? ''}`);

describe('the news of a placement', () => {
  it('tell each side every step that concerns it, by bell and mail', async () => {
    const offer = await makeOffer();
    for (const one of life) await step(offer, one);
    const ofSeller = await bellOf(offer.seller.userId);
    expect(ofSeller.map(({ kind }) => kind.replace('placement.', ''))).toEqual([
      ...['offered', 'answer_due', 'accepted', 'extension_granted', 'late', 'delivered', 'revision', 'disputed'],
      ...['proposal', 'dispute_withdrawn', 'delivered', 'approved', 'settled'],
    ]);
    expect(ofSeller.every(({ orderId }) => orderId === offer.id)).toBe(true);
    const ofBuyer = await bellOf(offer.buyer.userId);
    expect(ofBuyer.map(({ kind }) => kind.replace('order.', ''))).toEqual([
      ...['accepted', 'extension_asked', 'late', 'released', 'delivered', 'disputed'],
      ...['proposal', 'dispute_withdrawn', 'delivered', 'approved', 'settled'],
    ]);
    expect(await outboxOf(offer.seller.email)).toHaveLength(ofSeller.length);
    expect(await outboxOf(offer.buyer.email)).toHaveLength(ofBuyer.length);
    const [seller, buyer] = [await textsOf(offer.seller.email), await textsOf(offer.buyer.email)];
    expect(seller.join()).toContain('Your share is $50.00. $20.00 is payable now');
    expect(seller.join()).toContain('You keep $30.00 of $50.00.');
    expect(seller.join()).toContain(`/seller/orders/${offer.id}`);
    expect(buyer.join()).toContain('$40.00 of $100.00 was returned to your wallet.');
    expect(buyer.join()).toContain(`/user/orders/${offer.id}`);
  });

  it.each(['granted', 'refused'] as const)('tell the buyer that staff %s more days', async (answer) => {
    const offer = await makeOffer();
    await step(offer, { action: 'accepted', role: 'seller' });
    await step(offer, { action: `extension_${answer}`, role: 'staff', set: { deliveryDueAt: dueAt } });
    expect((await bellOf(offer.buyer.userId)).at(-1)).toMatchObject({ kind: `order.extension_${answer}` });
    expect((await textsOf(offer.buyer.email)).at(-1)).toContain(`Our team ${answer} more days for order #${offer.id}`);
  });

  it.each(['declined', 'expired', 'cancelled', 'taken_over'] as const)(
    'tell both sides of the end %s',
    async (action) => {
      const offer = await makeOffer();
      await step(offer, { ...system, action, reason: 'The topic does not fit' });
      expect((await bellOf(offer.seller.userId)).at(-1)).toMatchObject({ kind: `placement.${action}` });
      expect((await bellOf(offer.buyer.userId)).at(-1)).toMatchObject({ kind: `order.${action}` });
    },
  );

  it('name neither the buyer, the project, the price nor the margin to the seller, and not the seller to the buyer', async () => {
    const offer = await makeOffer(12_345, { sellerPriceCents: 6_007 });
    await db()
      .update(orders)
      .set({ projectDomain: 'secret-project.example', projectTargetUrl: 'https://secret-project.example/' })
      .where(eq(orders.id, offer.id));
    for (const one of life) await step(offer, one);
    const seller = [
      ...(await textsOf(offer.seller.email)),
      JSON.stringify(await getNotifications(offer.seller)),
    ].join();
    for (const secret of [offer.buyer.name, offer.buyer.email, offer.buyer.userId, 'secret-project', '123.45', '63.38'])
      expect(seller).not.toContain(secret);
    const buyer = [...(await textsOf(offer.buyer.email)), JSON.stringify(await getNotifications(offer.buyer))].join();
    for (const secret of [offer.seller.name, offer.seller.email, offer.seller.userId, '60.07', '63.38'])
      expect(buyer).not.toContain(secret);
  });

  it('are not sent to the user who made the step, and not by mail if the kind is turned off', async () => {
    const offer = await makeOffer();
    await db().insert(mailOptOuts).values({ userId: offer.buyer.userId, kind: 'order-status' });
    await step(offer, { action: 'accepted', role: 'seller' }, offer.seller);
    expect(await outboxOf(offer.buyer.email)).toEqual([]);
    expect(await bellOf(offer.buyer.userId)).toMatchObject([{ kind: 'order.accepted' }]);
    expect(await bellOf(offer.seller.userId)).toMatchObject([{ kind: 'placement.offered' }]);
  });

  it('are one item of the bell for each order of a cart, because each needs its answer', async () => {
    const [buyer, seller] = [await makeUser(), await makeUser('Seller')];
    await fundWallet(buyer.userId, 3_000);
    const owned = { isFulfilledByStaff: false };
    const siteIds = [await makeSite(seller.userId, 1_000, owned), await makeSite(seller.userId, 2_000, owned)];
    await createOrder(buyer, { kind: 'custom', projectId: await makeProject(buyer), siteIds });
    expect((await getNotifications(seller)).items).toMatchObject([
      { kind: 'placement.offered', sites: 1, orderId: expect.any(Number) },
      { kind: 'placement.offered', sites: 1, orderId: expect.any(Number) },
    ]);
  });
});
