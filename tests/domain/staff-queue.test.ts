import { eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { parseIdCursor } from '@/lib/id-cursor';
import { deleteOrder } from '@/lib/orders/order/delete';
import { countByStatus, listQueue, type QueueStatus } from '@/lib/orders/order/staff-queue';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';

const seller = await makeUser('Seller');
/** The orders with a placement to publish, oldest first. */
const placed: number[] = [];
/** The orders of staff. */
const own: number[] = [];

beforeAll(async () => {
  for (let index = 0; index < 6; index += 1) {
    placed.push((await makePlacement(index % 2 ? 'accepted' : 'in_revision', { seller })).id);
    if (index < 3) own.push((await makeOrder(1_000)).id);
  }
  await db().update(orders).set({ status: 'Processing' }).where(inArray(orders.id, placed));
  const deleted = await makePlacement('accepted', { seller });
  await setDue(deleted.id, -99);
  await deleteOrder(await makeUser('Admin'), deleted.id);
});

const setDue = (orderId: number, hours: number) =>
  db()
    .update(placements)
    .set({ deliveryDueAt: sql`now() + make_interval(hours => ${hours})` })
    .where(eq(placements.orderId, orderId));

/** Follows the links of one direction to their end. @returns the numbers of each page */
async function follow(status: QueueStatus, limit: number, direction: 'next' | 'previous'): Promise<number[][]> {
  const pages: number[][] = [];
  let cursor = direction === 'next' ? undefined : parseIdCursor('last');
  for (;;) {
    const page = await listQueue(status, { limit, cursor: cursor ?? undefined });
    pages.push(page.rows.map(({ id }) => id));
    const link = page[direction];
    if (link === null) return pages;
    cursor = parseIdCursor(link);
  }
}

describe('the queue of staff', () => {
  it('begins with the late deliveries, the longest overdue before, in pages from either end', async () => {
    const hours = fc.array(fc.constantFrom(-50, -20, -3, 30), {
      minLength: placed.length,
      maxLength: placed.length,
    });
    const status = fc.constantFrom<QueueStatus>(undefined, 'Processing');
    await fc.assert(
      fc.asyncProperty(hours, fc.integer({ min: 1, max: 4 }), status, async (due, limit, shown) => {
        for (const [index, id] of placed.entries()) await setDue(id, due[index] ?? 0);
        // Written one after the other, so that equal hours are due in the order of their numbers.
        const late = placed
          .map((id, index) => ({ id, due: due[index] ?? 0 }))
          .filter((one) => one.due < 0)
          .sort((a, b) => a.due - b.due || a.id - b.id)
          .map(({ id }) => id);
        const others = [...placed, ...(shown ? [] : own)].filter((id) => !late.includes(id)).sort((a, b) => b - a);
        const all = [...late, ...others];
        const forward = await follow(shown, limit, 'next');
        expect(forward.flat()).toEqual(all);
        const backward = await follow(shown, limit, 'previous');
        expect(backward.reverse().flat()).toEqual(all);
        for (const page of [...forward.slice(0, -1), ...backward.slice(1)]) expect(page).toHaveLength(limit);
        for (const offset of [1, late.length, late.length + 2]) {
          const page = await listQueue(shown, { limit, offset });
          expect(page.rows.map(({ id }) => id)).toEqual(all.slice(offset, offset + limit));
          expect(page).toMatchObject({ total: all.length, isCapped: false });
        }
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('has no page for a cursor of another list', async () => {
    for (const cursor of ['next.abc', 'previous.999999999999'])
      expect(await listQueue(undefined, { limit: 5, cursor: parseIdCursor(cursor) ?? undefined })).toMatchObject({
        rows: [],
        next: null,
      });
  });

  it('counts the orders of each status without the deleted ones', async () => {
    const counts = await countByStatus();
    expect(Object.fromEntries([...counts].map(([status, { total }]) => [status, total]))).toEqual({
      Pending: own.length,
      Processing: placed.length,
      Live: 0,
      Completed: 0,
      Rejected: 0,
      Refunded: 0,
    });
    expect([...counts.values()].every(({ isCapped }) => !isCapped)).toBe(true);
  });
});
