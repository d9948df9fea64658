import { asc, eq } from 'drizzle-orm';
import postgres from 'postgres';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { orderBriefs, placementEvents, placements } from '@/db/schema/placements';
import { getWalletBalance } from '@/lib/ledger/balance';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { runPlacementClocks } from '@/lib/orders/placements/run-clocks';
import { movePlacement, type Step } from '@/lib/orders/placements/transition';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink } from '@/tests/setup/link-checks';
import { outboxOf } from '@/tests/setup/outbox';
import { passTime, placementOf } from '@/tests/setup/placement-verbs';

const hour = 3_600_000;
const day = 24 * hour;

/** No other placement is due. */
beforeEach(async () => {
  await db().update(placements).set({ nextActionAt: null });
});

const accepted: Step = { action: 'accepted', role: 'seller' };
const delivered: Step = {
  action: 'delivered',
  role: 'seller',
  set: { deliveredUrl: 'https://blog.example.com/page' },
};

async function offerAfter(...steps: Step[]): Promise<Offer> {
  const offer = await makeOffer(5_000);
  for (const step of steps)
    await db().transaction(async (tx) => movePlacement(tx, offer.seller, await lockPlacement(tx, offer.id), step));
  return offer;
}

const systemEvents = async (orderId: number) => {
  const events = await db()
    .select()
    .from(placementEvents)
    .where(eq(placementEvents.orderId, orderId))
    .orderBy(asc(placementEvents.id));
  return events.filter(({ role }) => role === 'system').map(({ action }) => action);
};

const run = async () => Object.fromEntries(Object.entries(await runPlacementClocks()).filter(([, count]) => count > 0));

describe('the clocks of placements', () => {
  it('remind the seller of an offer once, and expire it with a refund', async () => {
    const { id, buyer, seller } = await offerAfter();
    await passTime(id, 47 * hour);
    expect(await run()).toEqual({});
    await passTime(id, 2 * hour);
    expect(await run()).toEqual({ reminded: 1 });
    expect(await run()).toEqual({});
    expect((await placementOf(id)).version).toBe(1);
    await passTime(id, 24 * hour);
    expect(await run()).toEqual({ expired: 1 });
    expect(await run()).toEqual({});
    expect(await systemEvents(id)).toEqual(['reminded', 'expired']);
    expect(await getWalletBalance(buyer.userId)).toBe(5_000);
    expect((await outboxOf(seller.email)).length).toBe(3);
    expect(await placementOf(id)).toMatchObject({ state: 'expired', nextActionAt: null });
    await expectSoundBooks();
  });

  it('expire an offer without a reminder when the job did not run for days', async () => {
    const { id } = await offerAfter();
    await passTime(id, 30 * day);
    expect(await run()).toEqual({ expired: 1 });
    expect(await systemEvents(id)).toEqual(['expired']);
  });

  it('remind of a delivery, tell both sides that it is late, and cancel it after 14 days', async () => {
    const { id, buyer } = await offerAfter(accepted);
    await passTime(id, 3.9 * day);
    expect(await run()).toEqual({});
    await passTime(id, 0.2 * day);
    expect(await run()).toEqual({ reminded: 1 });
    await passTime(id, day);
    expect(await run()).toEqual({ became_late: 1 });
    expect(await placementOf(id)).toMatchObject({ state: 'accepted', version: 2 });
    await passTime(id, 13.5 * day);
    expect(await run()).toEqual({});
    await passTime(id, 0.6 * day);
    expect(await run()).toEqual({ cancelled: 1 });
    expect(await systemEvents(id)).toEqual(['reminded', 'became_late', 'cancelled']);
    expect(await getWalletBalance(buyer.userId)).toBe(5_000);
    await expectSoundBooks();
  });

  it('begin the turnaround on the first day of publication', async () => {
    const offer = await makeOffer(5_000, { tatDays: 4 });
    const first = new Date(Date.now() + 30 * day).toISOString().slice(0, 10);
    await db()
      .insert(orderBriefs)
      .values({ orderId: offer.id, notBefore: first })
      .onConflictDoUpdate({
        target: orderBriefs.orderId,
        set: { notBefore: first },
      });
    await db().transaction(async (tx) => movePlacement(tx, offer.seller, await lockPlacement(tx, offer.id), accepted));
    const { deliveryDueAt } = await placementOf(offer.id);
    expect(deliveryDueAt).toEqual(new Date(new Date(first).getTime() + 6 * day));
  });

  it('start again for a requested change', async () => {
    const { id } = await offerAfter(accepted, delivered);
    await passTime(id, 6 * day);
    await db().transaction(async (tx) =>
      movePlacement(tx, (await makeOffer()).buyer, await lockPlacement(tx, id), {
        action: 'revision_requested',
        role: 'buyer',
      }),
    );
    const { deliveryDueAt } = await placementOf(id);
    expect(((deliveryDueAt?.getTime() ?? 0) - Date.now()) / day).toBeCloseTo(5, 1);
  });

  it('approve a delivery after seven days without an answer', async () => {
    const { id } = await offerAfter(accepted, delivered);
    await passTime(id, 6.9 * day);
    expect(await run()).toEqual({});
    await passTime(id, 0.2 * day);
    await checkLink(id, 'ok');
    expect(await run()).toEqual({ approved: 1 });
    const [order] = await db().select().from(orders).where(eq(orders.id, id));
    expect(order).toMatchObject({ status: 'Live', linkUrl: 'https://blog.example.com/page' });
    await expectSoundBooks();
  });

  it('stand still during a dispute', async () => {
    const { id } = await offerAfter(accepted, delivered, { action: 'disputed', role: 'buyer' });
    expect((await placementOf(id)).nextActionAt).toBeNull();
    await passTime(id, 100 * day);
    await db().update(placements).set({ nextActionAt: new Date() }).where(eq(placements.orderId, id));
    expect(await run()).toEqual({});
    expect(await placementOf(id)).toMatchObject({ state: 'disputed', nextActionAt: null });
  });

  it('act once for each placement when several instances run at the same time', async () => {
    const offers: Offer[] = [];
    for (let made = 0; made < 12; made += 1) offers.push(await offerAfter());
    for (const { id } of offers) await passTime(id, 4 * day);
    const runs = await Promise.all([runPlacementClocks(), runPlacementClocks(), runPlacementClocks()]);
    expect(runs.reduce((sum, { expired }) => sum + expired, 0)).toBe(12);
    expect(runs.reduce((sum, { failed }) => sum + failed, 0)).toBe(0);
    for (const { id, buyer } of offers) {
      expect(await systemEvents(id)).toEqual(['expired']);
      expect(await getWalletBalance(buyer.userId)).toBe(5_000);
    }
    await expectSoundBooks();
  });

  it('continue after a placement that fails, and try it again later', async () => {
    const [broken, sound] = [await offerAfter(), await offerAfter()];
    await passTime(broken.id, 5 * day);
    await passTime(sound.id, 4 * day);
    const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1 });
    const refusal = 'alter table placement_events add constraint refused check (order_id <> $1) not valid';
    await owner.unsafe(refusal.replace('$1', String(broken.id)));
    expect(await run()).toEqual({ expired: 1, failed: 1 });
    expect((await placementOf(sound.id)).state).toBe('expired');
    const failed = await placementOf(broken.id);
    expect(failed).toMatchObject({ state: 'offered', clockRetries: 1 });
    expect(((failed.nextActionAt?.getTime() ?? 0) - Date.now()) / 1_000).toBeGreaterThan(50);
    expect(await run()).toEqual({});
    const makeDue = () =>
      db().update(placements).set({ nextActionAt: new Date() }).where(eq(placements.orderId, broken.id));
    await makeDue();
    expect(await run()).toEqual({ failed: 1 });
    const again = await placementOf(broken.id);
    expect(((again.nextActionAt?.getTime() ?? 0) - Date.now()) / 1_000).toBeGreaterThan(110);
    await owner`alter table placement_events drop constraint refused`;
    await owner.end();
    await makeDue();
    expect(await run()).toEqual({ expired: 1 });
    expect(await placementOf(broken.id)).toMatchObject({ state: 'expired', clockRetries: 0 });
    await expectSoundBooks();
  });
});
