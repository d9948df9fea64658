import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { transfers } from '@/db/schema/ledger';
import { orderStatuses, orders } from '@/db/schema/orders';
import { getWalletBalance } from '@/lib/ledger/balance';
import { postTransfer, revenueAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import { getAdminOrder, getOrder, listOrders } from '@/lib/orders/order/queries';
import { updateOrderBody } from '@/lib/orders/order/schemas';
import { updateOrder } from '@/lib/orders/order/update';
import { makeOrder } from '@/tests/factories/make-order';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

const keysOf = async (orderId: number) =>
  (await db().select().from(transfers).where(eq(transfers.orderId, orderId)).orderBy(asc(transfers.id))).map(
    (transfer) => transfer.key,
  );
const auditOf = (orderId: number) =>
  db()
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityType, 'order'), eq(auditLogs.entityId, String(orderId))))
    .orderBy(asc(auditLogs.id));

describe('status and money', () => {
  const pairs = orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const));

  it.each(pairs)('%s → %s moves money only into and out of Refunded', async (from, to) => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000, 500);
    await updateOrder(admin, id, { status: from });
    const updated = await updateOrder(admin, id, { status: to });
    expect(updated.status).toBe(to);
    expect(await getWalletBalance(buyer.userId)).toBe(to === 'Refunded' ? 4_500 : 500);
    await expectSoundBooks();
  });

  it('numbers refunds and repeated charges', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    for (const status of ['Refunded', 'Refunded', 'Live', 'Refunded', 'Pending'] as const) {
      await updateOrder(admin, id, { status });
    }
    expect(await keysOf(id)).toEqual([
      `order:${id}`,
      `refund:${id}:1`,
      `recharge:${id}:1`,
      `refund:${id}:2`,
      `recharge:${id}:2`,
    ]);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    await expectSoundBooks();
  });

  it('refuses to leave Refunded when the refund is spent, and changes nothing', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    await updateOrder(admin, id, { status: 'Refunded' });
    const siteId = await makeSite((await makeUser('Seller')).userId, 100);
    await createOrder(buyer, { kind: 'custom', projectId: await makeProject(buyer), siteIds: [siteId] });
    await expect(updateOrder(admin, id, { status: 'Live', adminComments: 'x' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('stays Refunded'),
    });
    expect(await getAdminOrder(id)).toMatchObject({ status: 'Refunded', adminComments: '', version: 2 });
    expect(await getWalletBalance(buyer.userId)).toBe(3_900);
    await expectSoundBooks();
  });

  it('refunds once for twenty concurrent requests', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    await Promise.all(Array.from({ length: 20 }, () => updateOrder(admin, id, { status: 'Refunded' })));
    expect(await getWalletBalance(buyer.userId)).toBe(4_000);
    expect(await keysOf(id)).toHaveLength(2);
    expect(await auditOf(id)).toHaveLength(2);
  });

  it('refunds nothing for an order whose payment was reversed already', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    const [paid] = await db().select().from(transfers).where(eq(transfers.orderId, id));
    await postTransfer(db(), {
      key: `reversal:${paid?.id}`,
      kind: 'reversal',
      from: revenueAccount,
      to: walletAccount(buyer.userId),
      amountCents: 4_000,
      currency: 'USD',
      reversesId: paid?.id,
    });
    await updateOrder(admin, id, { status: 'Refunded' });
    expect(await getWalletBalance(buyer.userId)).toBe(4_000);
    expect(await keysOf(id)).toEqual([`order:${id}`]);
  });

  it('records a rejection and its refund as two entries', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    await updateOrder(admin, id, { status: 'Refunded', isRejection: true, adminComments: 'The site closed.' });
    const timeline = await getTimeline({ id, accountId: buyer.userId }, 'buyer');
    expect(timeline.map(({ by, status, texts }) => [by, status, texts])).toEqual([
      ['You', 'Pending', ['Ordered, $40.00 paid from the wallet']],
      ['Our team', 'Rejected', ['Status changed from Pending to Rejected', 'Comment added']],
      ['Our team', 'Refunded', ['Status changed from Rejected to Refunded', '$40.00 returned to the wallet']],
    ]);
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'order.refunded', amountCents: 4_000 });
  });
});

describe('links', () => {
  it('changes an order to Live when its link is set without a status', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    const body = updateOrderBody.parse({ status: 'Pending', linkUrl: 'blog.example.com/post' });
    expect(await updateOrder(admin, id, body)).toMatchObject({
      status: 'Live',
      linkUrl: 'https://blog.example.com/post',
    });
    // The same link again is no new link, so the chosen status stays.
    expect(await updateOrder(admin, id, { ...body, status: 'Completed' })).toMatchObject({ status: 'Completed' });
    expect(await updateOrder(admin, id, { linkUrl: body.linkUrl })).toMatchObject({ status: 'Completed', version: 3 });
  });

  it('keeps a status that is set together with the link', async () => {
    const { id } = await makeOrder(1_000);
    const input = { status: 'Processing' as const, linkUrl: 'https://example.com/a' };
    expect(await updateOrder(await makeUser('Admin'), id, input)).toMatchObject({ status: 'Processing' });
  });

  it('charges nothing when the link of a refunded order is corrected', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(1_000);
    await updateOrder(admin, id, { status: 'Refunded' });
    expect(await updateOrder(admin, id, { linkUrl: 'https://example.com/b' })).toMatchObject({ status: 'Refunded' });
    expect(await getWalletBalance(buyer.userId)).toBe(1_000);
  });

  it.each([
    ['example.com', 'https://example.com'],
    [' http://example.com/a?b=c#d ', 'http://example.com/a?b=c#d'],
    ['//example.com/x', 'https://example.com/x'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['bücher.example/ä', 'https://bücher.example/ä'],
    ['', ''],
  ])('normalizes %j to %j', (typed, kept) => {
    expect(updateOrderBody.parse({ linkUrl: typed }).linkUrl).toBe(kept);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>',
    'ftp://example.com/a',
    'mailto:me@example.com',
    'https://user:pass@example.com',
    'https://',
    'not a link',
    'link',
    'https://example.com\\@evil.example',
    'java\nscript:alert(1)',
    `https://example.com/${'a'.repeat(2_050)}`,
  ])('rejects %j', (typed) => {
    expect(updateOrderBody.safeParse({ linkUrl: typed }).success).toBe(false);
  });
});

describe('concurrent admins', () => {
  it('rejects a stale edit and accepts exactly one of two', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    const { version } = await getAdminOrder(id);
    const { values, codes } = await settle([
      updateOrder(admin, id, { status: 'Processing', version }),
      updateOrder(admin, id, { status: 'Completed', version }),
    ]);
    expect(values).toHaveLength(1);
    expect(codes).toEqual(['conflict']);
    expect((await getAdminOrder(id)).version).toBe(version + 1);
  });

  it('writes nothing for an edit without changes', async () => {
    const { id } = await makeOrder(1_000);
    const before = await getAdminOrder(id);
    expect(await updateOrder(await makeUser('Admin'), id, { status: 'Pending', linkUrl: '' })).toEqual(before);
    expect(await auditOf(id)).toHaveLength(1);
  });
});

describe('ownership and deletion', () => {
  it("returns not found for another buyer's order", async () => {
    const { id, buyer } = await makeOrder(1_000);
    const stranger = await makeUser();
    expect((await getOrder(buyer, id)).id).toBe(id);
    await expect(getOrder(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await listOrders(stranger, { limit: 100 })).toMatchObject({ rows: [], total: 0 });
  });

  it('refuses to delete after a concurrent change, such as a refund that was reversed', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    const seen = await updateOrder(admin, id, { status: 'Refunded' });
    const now = await updateOrder(await makeUser('Admin'), id, { status: 'Processing' });
    await expect(deleteOrder(admin, id, seen.version)).rejects.toMatchObject({
      code: 'conflict',
      message: `Order #${id} was changed by another user in the meantime. Nothing was saved. Review their changes and try again.`,
    });
    expect(await getAdminOrder(id)).toMatchObject({ status: 'Processing' });
    await deleteOrder(admin, id, now.version);
    await expect(getAdminOrder(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('hides a deleted order from every list, keeps its books, and deletes once', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(1_000, 50);
    const { values, codes } = await settle([deleteOrder(admin, id), deleteOrder(admin, id)]);
    expect([values.length, codes]).toEqual([1, ['not_found']]);
    expect((await listOrders(buyer, { limit: 100 })).total).toBe(0);
    expect((await listAllOrders({ q: `#${id}`, limit: 100 })).rows).toEqual([]);
    await expect(getAdminOrder(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(updateOrder(admin, id, { status: 'Refunded' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await getWalletBalance(buyer.userId)).toBe(50);
    expect((await auditOf(id)).map((line) => line.action)).toEqual(['order.created', 'order.deleted']);
    await expectSoundBooks();
  });
});

describe('the staff list finds orders', () => {
  it('by number, website, buyer, project and status, with the total', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(1_000);
    await updateOrder(admin, id, { status: 'Completed' });
    const [row] = await db().select().from(orders).where(eq(orders.id, id));
    const find = async (filter: Partial<Parameters<typeof listAllOrders>[0]>) =>
      (await listAllOrders({ limit: 200, offset: 0, ...filter })).rows.map((order) => order.id);
    expect(await find({ q: `#${id}` })).toContain(id);
    expect(await find({ q: row?.website.slice(8, 30) })).toEqual([id]);
    expect(await find({ q: buyer.email.toUpperCase() })).toEqual([id]);
    expect(await find({ q: 'shop.example.com', userId: buyer.userId })).toEqual([id]);
    expect(await find({ status: 'Completed', userId: buyer.userId })).toEqual([id]);
    expect(await find({ status: 'Rejected', userId: buyer.userId })).toEqual([]);
    expect(await find({ q: '%' })).toEqual([]);
    const page = await listAllOrders({ limit: 1, offset: 1 });
    expect(page.rows).toHaveLength(1);
    expect(page.total).toBeGreaterThan(1);
  });
});
