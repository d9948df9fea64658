import { and, eq, inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { type OrderStatus, orderStatuses, orders } from '@/db/schema/orders';
import { getWalletBalance } from '@/lib/ledger/balance';
import { batchInput, updateOrders } from '@/lib/orders/order/batch';
import { deleteOrder } from '@/lib/orders/order/delete';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { accept, decline, deliver, placementOf } from '@/tests/setup/placement-verbs';

const admin = await makeUser('Admin');
const batch = (ids: number[], status: 'Processing' | 'Completed') =>
  updateOrders(admin, batchInput.parse({ ids, status }));
const statusOf = async (id: number) => (await getAdminOrder(id)).status;
/** The audit lines of updates, by order. */
const linesOf = async (ids: number[]) => {
  const rows = await db()
    .select({ id: auditLogs.entityId })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.entityType, 'order'),
        inArray(auditLogs.entityId, ids.map(String)),
        eq(auditLogs.action, 'order.updated'),
      ),
    )
    .orderBy(auditLogs.id);
  return rows.map(({ id }) => Number(id));
};
const addLinks = (ids: number[]) =>
  db().update(orders).set({ linkUrl: 'https://news.example.com/a' }).where(inArray(orders.id, ids));
const makeStatus = async (status: OrderStatus) => {
  const { id, buyer } = await makeOrder(1_000);
  if (status !== 'Pending') await updateOrder(admin, id, { status });
  return { id, buyer };
};

describe('a batch of orders', () => {
  it('updates each order by the verb, in the order of the numbers, with an audit line each', async () => {
    const made = [await makeOrder(1_000), await makeOrder(2_000), await makeOrder(3_000)].map(({ id }) => id);
    const [first = 0, second = 0, third = 0] = made;
    expect(await batch([third, first, second, third], 'Processing')).toEqual({
      changed: [first, second, third],
      unchanged: [],
      refused: [],
    });
    expect(await linesOf(made)).toEqual([first, second, third]);
    expect(await batch(made, 'Processing')).toEqual({ changed: [], unchanged: made, refused: [] });
    expect(await linesOf(made)).toHaveLength(3);
    const undelivered = (id: number) => ({ id, reason: `Order #${id} has no live link: open it to enter the link.` });
    expect((await batch(made, 'Completed')).refused).toEqual(made.map(undelivered));
    await addLinks(made);
    expect((await batch(made, 'Completed')).changed).toEqual(made);
    expect(await linesOf(made)).toHaveLength(6);
  });

  it('refuses what a batch may not decide, says why, and changes the others', async () => {
    const at: Partial<Record<OrderStatus, number>> = {};
    for (const status of orderStatuses) at[status] = (await makeStatus(status)).id;
    const ids = Object.values(at);
    const deleted = (await makeOrder(500)).id;
    await deleteOrder(admin, deleted);
    await addLinks(ids);
    const completed = await batch([...ids, deleted], 'Completed');
    expect(completed.changed).toEqual([at.Processing, at.Live]);
    expect(completed.unchanged).toEqual([at.Completed]);
    expect(completed.refused).toEqual([
      { id: at.Pending, reason: `Order #${at.Pending} is Pending: open it to change its status.` },
      { id: at.Rejected, reason: `Order #${at.Rejected} is Rejected: open it to change its status.` },
      { id: at.Refunded, reason: `Order #${at.Refunded} is Refunded: open it to change its status.` },
      { id: deleted, reason: `Order #${deleted} does not exist or was deleted.` },
    ]);
    expect((await batch(ids, 'Processing')).changed).toEqual([at.Pending]);
    expect(await statusOf(at.Refunded ?? 0)).toBe('Refunded');
    await expectSoundBooks();
  });

  it('refuses the orders that a seller fulfills, in any status, and changes those whose placement is over', async () => {
    const offered = await makeOffer(2_000);
    const [accepted, delivered, declined] = [await makeOffer(2_000), await makeOffer(2_000), await makeOffer(2_000)];
    const approved = (await makePlacement('approved')).id;
    const disputed = (await makePlacement('disputed')).id;
    await accept(accepted);
    await accept(delivered);
    await deliver(delivered);
    await decline(declined);
    await updateOrder(admin, declined.id, { status: 'Pending' });
    const running = [offered.id, accepted.id, delivered.id, approved, disputed];
    const states = async () => Promise.all(running.map(async (id) => (await placementOf(id)).state));
    const before = await states();
    for (const id of running) await db().update(orders).set({ status: 'Pending' }).where(eq(orders.id, id));
    const processed = await batch([...running, declined.id], 'Processing');
    expect(processed).toEqual({
      changed: [declined.id],
      unchanged: [],
      refused: running
        .toSorted((a, b) => a - b)
        .map((id) => ({ id, reason: `A seller fulfills order #${id}: open it to change its status.` })),
    });
    for (const status of ['Processing', 'Live'] as const) {
      for (const id of running) await db().update(orders).set({ status }).where(eq(orders.id, id));
      expect((await batch(running, 'Completed')).refused).toHaveLength(running.length);
    }
    expect(await states()).toEqual(before);
    await expectSoundBooks();
  });

  it('changes each order once when batches run at once, and moves no money', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<OrderStatus>('Pending', 'Processing', 'Live', 'Refunded'), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.constantFrom('Processing' as const, 'Completed' as const),
        async (statuses, status) => {
          const made: Awaited<ReturnType<typeof makeStatus>>[] = [];
          for (const one of statuses) made.push(await makeStatus(one));
          const ids = made.map(({ id }) => id);
          await addLinks(ids);
          const before = (await linesOf(ids)).length;
          const balances = await Promise.all(made.map(({ buyer }) => getWalletBalance(buyer.userId)));
          const outcomes = await Promise.all([batch(ids, status), batch(ids, status), batch(ids, status)]);
          const changed = outcomes.flatMap((outcome) => outcome.changed);
          expect(new Set(changed).size).toBe(changed.length);
          for (const { changed, unchanged, refused } of outcomes)
            expect([...changed, ...unchanged, ...refused.map(({ id }) => id)].sort((a, b) => a - b)).toEqual(ids);
          for (const id of changed) expect(await statusOf(id)).toBe(status);
          expect((await linesOf(ids)).length - before).toBe(changed.length);
          expect(await Promise.all(made.map(({ buyer }) => getWalletBalance(buyer.userId)))).toEqual(balances);
        },
      ),
      { numRuns: propertyRuns(8) },
    );
    await expectSoundBooks();
  });

  it('accepts one to 200 numbers, once each', () => {
    expect(batchInput.parse({ ids: [3, 1, 3], status: 'Processing' }).ids).toEqual([1, 3]);
    for (const ids of [[], [0], [1.5], Array.from({ length: 201 }, (_, id) => id + 1)])
      expect(batchInput.safeParse({ ids, status: 'Processing' }).success).toBe(false);
    for (const status of ['Refunded', 'Rejected', 'Pending', 'Live'])
      expect(batchInput.safeParse({ ids: [1], status }).success).toBe(false);
  });
});
