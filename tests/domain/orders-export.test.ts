import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { users } from '@/db/schema/users';
import { attachContent } from '@/lib/orders/deliverables/content';
import { deleteOrder } from '@/lib/orders/order/delete';
import { adminOrdersFilter, exportOrders } from '@/lib/orders/order/export';
import { updateOrder } from '@/lib/orders/order/update';
import { fileOf } from '@/tests/factories/file-of';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';

type Row = Record<string, string>;
const read = async (query: Record<string, string>) => {
  const csv = await text(Readable.from(exportOrders(adminOrdersFilter.parse(query))));
  expect(csv.startsWith('\uFEFF')).toBe(true);
  const { data, errors } = Papa.parse<Row>(csv.slice(1), { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  return data;
};

it('contains the filtered list, and escapes formulas', async () => {
  const admin = await makeUser('Admin');
  const { id, buyer } = await makeOrder(123_456);
  const other = await makeOrder(1_000);
  await db().update(users).set({ name: '=HYPERLINK("http://evil.example","x")' }).where(eq(users.id, buyer.userId));
  await db().update(orders).set({ projectKeywords: '+spade, "rake"\r\n@hoe' }).where(eq(orders.id, id));
  await updateOrder(admin, id, { linkUrl: 'https://news.example.com/ä?a=1,2', adminComments: '-1+1' });
  await attachContent(admin, id, fileOf('pdf'), '@SUM(A1).pdf');
  const rows = await read({ userId: buyer.userId });
  expect(rows).toEqual([
    expect.objectContaining({
      Order: String(id),
      Status: 'Live',
      Buyer: `'=HYPERLINK("http://evil.example","x")`,
      'Buyer Email': buyer.email,
      'Post Type': 'Guest posts',
      Quantity: '1',
      Price: '1234.56',
      Currency: 'USD',
      'Charged USD': '1234.56',
      Project: 'shop.example.com',
      Keywords: `'+spade, "rake"\r\n@hoe`,
      'Live Link': 'https://news.example.com/ä?a=1,2',
      Content: "'@SUM(A1).pdf",
      Comments: "'-1+1",
    }),
  ]);
  for (const value of rows.flatMap((row) => Object.values(row))) expect(value).not.toMatch(/^\s*[=+\-@]/);
  expect((await read({ status: 'Pending' })).map((row) => row.Order)).toEqual([String(other.id)]);
  expect((await read({ q: 'news.example.com' })).map((row) => row.Order)).toEqual([String(id)]);
  await deleteOrder(admin, other.id);
  expect(await read({ status: 'Pending' })).toEqual([]);
});

it('exports more orders than one batch, each once and newest first', async () => {
  const { id, buyer } = await makeOrder(1_000);
  const columns = sql.raw(
    'account_id, ordered_by, checkout_id, kind, project_id, project_domain, project_target_url, project_keywords, price_cents, currency, usd_micros_per_unit, charged_cents',
  );
  await db().execute(
    sql`insert into orders (${columns}) select ${columns} from orders, generate_series(1, 2000) where id = ${id}`,
  );
  const numbers = (await read({ userId: buyer.userId })).map((row) => Number(row.Order));
  expect(new Set(numbers).size).toBe(2_001);
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
});

it('names what was refunded of each order, once there are placements', async () => {
  const { buyer, projectId } = await makePlacement('settled', { buyerPercent: 25, isApproved: true });
  await makePlacement('declined', { buyer, projectId });
  await makePlacement('approved', { buyer, projectId });
  const rows = await read({ userId: buyer.userId });
  expect(rows.map((row) => [row.Status, row['Charged USD'], row['Refunded USD']])).toEqual([
    ['Live', '10.00', '0.00'],
    ['Refunded', '10.00', '10.00'],
    ['Live', '10.00', '2.50'],
  ]);
});
