import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import {
  type NoticeKind,
  noticeKinds,
  notices,
  paymentNoticeKinds,
  payoutNoticeKinds,
  refundNoticeKinds,
} from '@/db/schema/notices';
import { groupedKinds } from '@/lib/notifications/notice-words';
import {
  countUnread,
  getNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  type NotificationItem,
} from '@/lib/notifications/notifications';
import { bulkSites } from '@/lib/sites/bulk';
import { deleteOwnSite, deleteSite } from '@/lib/sites/delete';
import { ownSiteBody } from '@/lib/sites/edit-schemas';
import { updateOwnSite } from '@/lib/sites/update';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const pending = (name: string) => ({ name, status: 'Pending' as const });

/** Opens the bell and marks all as read. */
async function markRead(person: Parameters<typeof getNotifications>[0]) {
  const bell = await getNotifications(person);
  await markAllNotificationsRead(person, bell.upTo || new Date(0).toISOString());
  return bell;
}

describe('a seller’s bell', () => {
  it("lists other users' changes of the seller's sites, those of a day and a kind as one", async () => {
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const ids = [
      await makeSite(seller.userId, 100, pending('Alder')),
      await makeSite(seller.userId, 100, pending('Birch')),
      await makeSite(seller.userId, 100, pending('Cedar')),
    ];
    const [first = 0, second = 0, third = 0] = ids;
    expect(await getNotifications(seller)).toEqual({ items: [], upTo: '', unread: 0, unshown: 0 });
    await bulkSites(admin, { ids: [first, second], change: { kind: 'approve' } });
    await bulkSites(admin, { ids: [third], change: { kind: 'reject', reason: 'price', note: '' } });
    await bulkSites(admin, { ids: [third], change: { kind: 'reject', reason: 'price', note: '' } });
    await deleteSite(admin, first);
    const { items, unread } = await getNotifications(seller);
    expect(unread).toBe(3);
    expect(items).toMatchObject([
      { kind: 'site.removed', subject: 'Alder', sites: 1, isUnread: true },
      { kind: 'site.rejected', subject: 'Cedar', sites: 1 },
      { kind: 'site.approved', subject: 'Alder', sites: 2 },
    ]);
    expect(JSON.stringify(items)).not.toContain(admin.email);
  });

  it("omits the seller's own changes, other sellers' sites and changes without a decision", async () => {
    const [seller, other, admin] = [await makeUser('Seller'), await makeUser('Seller'), await makeUser('Admin')];
    const id = await makeSite(seller.userId, 100, { name: 'Own' });
    const foreign = await makeSite(other.userId, 100, pending('Foreign'));
    await bulkSites(admin, { ids: [foreign], change: { kind: 'approve' } });
    await bulkSites(admin, { ids: [id], change: { kind: 'price', margin: 1_000 } });
    const body = ownSiteBody.parse({ url: 'own.example', name: 'Own', country: 'A', niche: 'B', price: 5 });
    await updateOwnSite(seller, id, 2, body);
    await deleteOwnSite(seller, id);
    expect(await getNotifications(seller)).toEqual({ items: [], upTo: '', unread: 0, unshown: 0 });
  });

  it('remembers the read position', async () => {
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const id = await makeSite(seller.userId, 100, pending('Dune'));
    expect(await markRead(seller)).toEqual({ items: [], upTo: '', unread: 0, unshown: 0 });
    await bulkSites(admin, { ids: [id], change: { kind: 'approve' } });
    expect(await markRead(seller)).toMatchObject({ unread: 1, items: [{ isUnread: true }] });
    expect(await getNotifications(seller)).toMatchObject({ unread: 0, items: [{ isUnread: false }] });
    await bulkSites(admin, { ids: [id], change: { kind: 'reject', reason: 'price', note: '' } });
    expect(await getNotifications(seller)).toMatchObject({
      unread: 1,
      items: [{ isUnread: true }, { isUnread: false }],
    });
    expect((await markRead(seller)).unread).toBe(1);
    expect((await markRead(seller)).unread).toBe(0);
  });

  it('shows all unread entries, then the newest dozen, and drops those older than two months', async () => {
    const seller = await makeUser('Seller');
    await notifyDaily(seller.userId, 80);
    const { items, unread, unshown } = await markRead(seller);
    expect(subjectsOf(items)).toEqual(Array.from({ length: 60 }, (_, day) => `Day ${day}`));
    expect({ unread, unshown }).toEqual({ unread: 60, unshown: 0 });
    const again = await markRead(seller);
    expect(subjectsOf(again.items)).toEqual(Array.from({ length: 12 }, (_, day) => `Day ${day}`));
    expect(again.unread).toBe(0);
  });

  it('puts fifty approvals into one entry below the four orders that they would bury', async () => {
    const [seller, other] = [await makeUser('Seller'), await makeUser('Seller')];
    const at = (minute: number) => new Date(noonOf(1) + minute * 60_000);
    const notice = (kind: NoticeKind, minute: number) => ({
      userId: seller.userId,
      kind,
      subject: `At ${minute}`,
      createdAt: at(minute),
    });
    const approvals = Array.from({ length: 50 }, (_, minute) => notice('site.approved', minute));
    const orders = [0, 2, 4, 6].map((minute) => ({ ...notice('placement.offered', minute), orderId: minute + 1 }));
    await db()
      .insert(notices)
      .values([...approvals, ...orders, notice('order.live', 51), notice('site.rejected', 52)]);
    await db()
      .insert(notices)
      .values({ ...notice('site.approved', 53), userId: other.userId });
    const bell = await getNotifications(seller);
    // The number is that of the entries.
    expect(bell).toMatchObject({ unread: 7, unshown: 0, upTo: at(52).toISOString() });
    const shown = ({ items }: typeof bell) =>
      items.map((item) => [item.kind, 'sites' in item ? item.sites : 0, item.isUnread]);
    const order = ['placement.offered', 1, true];
    const [rejected, live] = [
      ['site.rejected', 1, true],
      ['order.live', 1, true],
    ];
    expect(shown(bell)).toEqual([order, order, order, order, rejected, live, ['site.approved', 50, true]]);

    // Following the entry reads what it stands for; an approval that came meanwhile keeps it unread.
    await db().insert(notices).values(notice('site.approved', 54));
    await markNotificationRead(seller, bell.items[6]?.key ?? '');
    expect(await countUnread(seller)).toBe(7);
    expect(await countUnread(other)).toBe(1);
    const before = await getNotifications(seller);
    expect(shown(before)).toContainEqual(['site.approved', 51, true]);
    const keyOf = (kind: NoticeKind) => before.items.find((item) => item.kind === kind)?.key ?? '';
    await markNotificationRead(other, keyOf('order.live'));
    for (const kind of ['site.approved', 'placement.offered'] as const) await markNotificationRead(seller, keyOf(kind));
    const after = await getNotifications(seller);
    expect(after.unread).toBe(5);
    expect(shown(after).slice(0, 3)).toEqual([order, order, order]);
    expect(shown(after)).toContainEqual(['site.approved', 51, false]);
  });

  it('groups each kind by day where news are equal, and never offers, disputes, messages and money', async () => {
    const seller = await makeUser('Seller');
    const days = [1, 2];
    // Two notices of each kind on each of two days, for two orders.
    await db()
      .insert(notices)
      .values(
        noticeKinds.flatMap((kind) =>
          days.flatMap((day) =>
            [0, 1].map((minute) => ({
              userId: seller.userId,
              kind,
              subject: `${kind} ${minute}`,
              orderId: 10 * day + minute,
              createdAt: new Date(noonOf(day) + minute * 60_000),
              readAt: minute === 0 ? new Date() : null,
            })),
          ),
        ),
      );
    const single = noticeKinds.filter((kind) => !groupedKinds.includes(kind));
    expect(single).toEqual(
      expect.arrayContaining([
        ...(['placement.offered', 'placement.answer_due', 'placement.disputed', 'placement.message'] as const),
        ...(['order.disputed', 'order.proposal', 'order.settled', 'order.message', 'order.comment'] as const),
        ...(['payment.disputed', ...payoutNoticeKinds, ...refundNoticeKinds, ...paymentNoticeKinds] as const),
      ]),
    );
    // Unread is one notice of each kind and day, so the number is that of kinds and days, grouped or not.
    const unread = 2 * noticeKinds.length;
    const { items, ...counted } = await getNotifications(seller);
    expect(counted).toMatchObject({ unread, unshown: unread - 100 });
    expect(await countUnread(seller)).toBe(unread);
    for (const item of items) {
      const isGroup = groupedKinds.some((kind) => kind === item.kind);
      expect(item, item.kind).toMatchObject({ sites: isGroup ? 2 : 1, isUnread: true });
      expect('orderId' in item && item.orderId === null, item.kind).toBe(isGroup);
    }
    for (const { key } of items.slice(-10)) await markNotificationRead(seller, key);
    expect(await countUnread(seller)).toBe(unread - 10);
  });

  it('counts the unread entries that are not shown', async () => {
    const seller = await makeUser('Seller');
    await notifyDaily(seller.userId, 150, 0.1);
    expect(await getNotifications(seller)).toMatchObject({ unread: 150, unshown: 50, items: { length: 100 } });
  });
});

/** Noon of a day (UTC), so many days ago. */
const noonOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).setUTCHours(12, 0, 0, 0);

const subjectsOf = (items: NotificationItem[]) => items.map((item) => ('subject' in item ? item.subject : item.title));

/** One change after the other, the last of them half a step ago. */
async function notifyDaily(userId: string, count: number, stepDays = 1): Promise<void> {
  const at = (step: number) => new Date(Date.now() - (step + 0.5) * stepDays * 86_400_000);
  await db()
    .insert(notices)
    .values(
      Array.from({ length: count }, (_, step) => ({
        userId,
        kind: 'payout.paid' as const,
        subject: `Day ${step}`,
        createdAt: at(step),
      })),
    );
}
