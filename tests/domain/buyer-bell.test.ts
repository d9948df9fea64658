import { inArray } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getNotifications, markAllNotificationsRead, markNotificationRead } from '@/lib/notifications/notifications';
import { attachContent } from '@/lib/orders/deliverables/content';
import { updateOrder } from '@/lib/orders/order/update';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { acceptPayment } from '@/lib/payments/top-ups/suspended-payments';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { fileOf } from '@/tests/factories/file-of';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOrder } from '@/tests/factories/make-order';
import { makeTeam } from '@/tests/factories/make-team';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { listNotices } from '@/tests/setup/list-notices';
import { outboxOf } from '@/tests/setup/outbox';

const webhook = systemActor('Stripe', 'webhook');
const kindsOf = async (buyer: Actor) => (await getNotifications(buyer)).items.map(({ kind }) => kind).reverse();

describe("a buyer's bell", () => {
  it('reports each step of an order that staff fulfill, once, with the order', async () => {
    const [admin, { id, buyer }] = [await makeUser('Admin'), await makeOrder(4_000, 4_000)];
    expect(await kindsOf(buyer)).toEqual([]);
    await updateOrder(admin, id, { status: 'Processing', adminComments: 'We start today.' });
    await updateOrder(admin, id, { adminComments: 'The writer has begun.' });
    await attachContent(admin, id, fileOf('pdf'), 'article.pdf');
    await updateOrder(admin, id, { linkUrl: 'https://news.example.com/a' });
    await updateOrder(admin, id, { linkUrl: 'https://news.example.com/b' });
    // Buyers see Live and Completed as one status.
    await updateOrder(admin, id, { status: 'Completed' });
    await updateOrder(admin, id, { status: 'Refunded' });
    await updateOrder(admin, id, { status: 'Pending' });
    await updateOrder(admin, id, { status: 'Refunded', isRejection: true });
    await updateOrder(admin, id, { status: 'Refunded' });
    expect(await kindsOf(buyer)).toEqual([
      'order.processing',
      'order.comment',
      'order.content',
      'order.live',
      'order.link',
      'order.refunded',
      'order.recharged',
      'order.declined',
    ]);
    const { items, unread } = await getNotifications(buyer);
    expect(unread).toBe(8);
    for (const item of items)
      expect(item).toMatchObject({ orderId: id, subject: expect.stringMatching(`^Order #${id}, `) });
    expect(JSON.stringify(items)).not.toContain(admin.email);
  });

  it('reports orders of a team to no suspended member, whose mails the owners get', async () => {
    const [admin, team] = [await makeUser('Admin'), await makeTeam()];
    const { owner, manager, buyer } = team.members;
    await fundWallet(team.accountId, 1_000);
    const id = await spendMoney(buyer, 1_000);
    const suspended = [buyer.userId, manager.userId];
    await db().update(users).set({ status: 'Suspended' }).where(inArray(users.id, suspended));
    await updateOrder(admin, id, { linkUrl: 'https://news.example.com/a' });
    expect(await listNotices(owner.userId)).toEqual(['order.live']);
    expect(await outboxOf(owner.email)).toHaveLength(1);
    for (const { userId, email } of [buyer, manager])
      expect([await listNotices(userId), await outboxOf(email)]).toEqual([[], []]);
  });

  it('reports the payments of the wallet, with their amounts', async () => {
    const [admin, buyer] = [await makeUser('Admin'), await makeUser()];
    const [paid, short, refused] = [await pendingTopup(buyer), await pendingTopup(buyer), await pendingTopup(buyer)];
    for (let time = 0; time < 2; time += 1) await settleTopup(webhook, paid.id, paid.evidence);
    await settleTopup(webhook, short.id, { ...short.evidence, amountMinor: 9_000 });
    await acceptPayment(admin, short.id);
    await settleTopup(webhook, refused.id, { ...refused.evidence, outcome: 'failed' });
    await createManualTopup(admin, { userId: buyer.userId, amountCents: 500, currency: 'USD', note: '' }, newId());
    for (const money of ['kept', 'taken', 'returned'] as const) {
      await reverseTopup(webhook, paid.id, {
        about: 'reversal',
        kind: 'dispute',
        reference: `dp_${paid.id}`,
        paymentReference: paid.evidence.paymentReference,
        topupId: paid.id,
        mode: 'test',
        amountMinor: 10_000,
        currency: 'USD',
        money,
        outcome: money === 'returned' ? 'won' : null,
      });
    }
    const { items } = await getNotifications(buyer);
    expect(items.map((item) => ('subject' in item ? `${item.subject} ${item.kind}` : '')).reverse()).toEqual([
      '$100.00 topup.paid',
      '$100.00 topup.review',
      '$90.00 topup.paid',
      '$100.00 topup.failed',
      '$5.00 wallet.credited',
      '$100.00 topup.disputed',
      '$100.00 topup.reinstated',
    ]);
  });

  it('keeps a notification unread until it is followed, or all are marked', async () => {
    const [admin, other, { id, buyer }] = [await makeUser('Admin'), await makeUser(), await makeOrder(4_000)];
    await updateOrder(admin, id, { status: 'Processing' });
    await updateOrder(admin, id, { linkUrl: 'https://news.example.com/a' });
    const { items } = await getNotifications(buyer);
    expect((await getNotifications(buyer)).unread).toBe(2);
    const [live, processing] = items;
    // Another user's key changes nothing.
    await markNotificationRead(other, live?.key ?? '');
    await markNotificationRead(buyer, 'notice 0');
    expect((await getNotifications(buyer)).unread).toBe(2);
    await markNotificationRead(buyer, live?.key ?? '');
    expect(await getNotifications(buyer)).toMatchObject({
      unread: 1,
      items: [
        { key: live?.key, isUnread: false },
        { key: processing?.key, isUnread: true },
      ],
    });
    await markAllNotificationsRead(buyer, live?.at ?? '');
    expect((await getNotifications(buyer)).unread).toBe(0);
    await updateOrder(admin, id, { status: 'Refunded' });
    expect((await getNotifications(buyer)).unread).toBe(1);
  });
});

async function pendingTopup(buyer: Actor) {
  const id = newId();
  await makeTopup(buyer, { id, providerReference: `cs_${id}` });
  const evidence = {
    about: 'payment' as const,
    outcome: 'paid' as const,
    topupId: id,
    mode: 'test' as const,
    providerReference: `cs_${id}`,
    paymentReference: `pi_${id}`,
    amountMinor: 10_000,
    currency: 'USD',
  };
  return { id, evidence };
}
