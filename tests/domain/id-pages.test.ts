import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { readIdPage } from '@/db/read-id-page';
import { orders } from '@/db/schema/orders';
import { type PageRequest, parseIdCursor } from '@/lib/id-cursor';
import { propertyRuns } from '@/scripts/testing/tier';

const rows = z.array(z.object({ id: z.number() }));

/** Reads a page of a list with the ids 1 to `length`. */
const readPage = (length: number, request: PageRequest) =>
  readIdPage(orders.id, request, async ({ where, orderBy, limit, offset }) =>
    rows.parse(
      await db().execute(
        sql`select id from generate_series(1, ${length}::int) as ${orders}(id) where ${where ?? sql`true`}
          order by ${orderBy} limit ${limit} offset ${offset}`,
      ),
    ),
  );

/** Follows the links of one direction to their end. @returns the ids of each page */
async function follow(length: number, limit: number, direction: 'next' | 'previous'): Promise<number[][]> {
  const pages: number[][] = [];
  let cursor = direction === 'next' ? undefined : parseIdCursor('last');
  for (;;) {
    const page = await readPage(length, { limit, cursor: cursor ?? undefined });
    pages.push(page.rows.map(({ id }) => id));
    const link = page[direction];
    if (link === null) return pages;
    cursor = parseIdCursor(link);
  }
}

it('lists every row once, newest first, in pages from either end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(23), fc.integer({ min: 1, max: 7 }), async (length, limit) => {
      const all = Array.from({ length }, (_, index) => length - index);
      const forward = await follow(length, limit, 'next');
      expect(forward.flat()).toEqual(all);
      const backward = await follow(length, limit, 'previous');
      expect(backward.reverse().flat()).toEqual(all);
      for (const page of [...forward.slice(0, -1), ...backward.slice(1)]) expect(page).toHaveLength(limit);
    }),
    { numRuns: propertyRuns(60) },
  );
});

it('links back to the page before by cursor or offset', async () => {
  const second = await readPage(20, { limit: 5, offset: 5 });
  expect(second).toMatchObject({ next: 'next.11', previous: 'previous.15' });
  const first = await readPage(20, { limit: 5, cursor: { toward: 'previous', id: '15' } });
  expect(first).toMatchObject({ rows: [{ id: 20 }, { id: 19 }, { id: 18 }, { id: 17 }, { id: 16 }], previous: null });
  expect(await readPage(3, { limit: 5, offset: 50 })).toEqual({ rows: [], next: null, previous: null });
});
