import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import type { AnnouncementAudience } from '@/db/enums';
import { announcements } from '@/db/schema/announcements';
import { auditLogs } from '@/db/schema/audit';
import type { Actor } from '@/lib/access/actor';
import {
  createAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from '@/lib/notifications/announcements';
import { countUnread, getNotifications, markAllNotificationsRead } from '@/lib/notifications/notifications';
import { bulkSites } from '@/lib/sites/bulk';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

let people: Record<'admin' | 'staff' | 'customer' | 'seller', Actor>;

beforeEach(async () => {
  await db().delete(announcements);
  people = {
    admin: await makeUser('Admin'),
    staff: { ...(await makeUser()), role: 'Support', permissions: ['AdminDashboard'] },
    customer: await makeUser(),
    seller: await makeUser('Seller'),
  };
});

const announce = (audience: AnnouncementAudience, title = 'Maintenance') =>
  createAnnouncement(people.admin, { title, message: 'Tonight at ten.', type: 'warning', audience });
const titlesOf = async (person: Actor) =>
  (await getNotifications(person)).items.map((item) => 'title' in item && item.title);
async function only() {
  const { rows, total } = await listAnnouncements({ limit: 10, offset: 0 });
  const [row] = rows;
  if (!row || total !== 1) throw new Error('There should be one.');
  return row;
}

/** Opens the bell and marks all as read. */
async function markRead(person: Parameters<typeof getNotifications>[0]) {
  const bell = await getNotifications(person);
  await markAllNotificationsRead(person, bell.items[0]?.at ?? new Date(0).toISOString());
  return bell;
}

describe('an announcement', () => {
  it.each([
    ['everyone', ['admin', 'staff', 'customer', 'seller']],
    ['customers', ['customer']],
    ['sellers', ['seller']],
    ['staff', ['admin', 'staff']],
  ] as const)('to %s notifies %s and no other role', async (audience, told) => {
    await announce(audience);
    for (const [name, person] of Object.entries(people)) {
      const isTold = told.some((one) => one === name);
      expect(await countUnread(person), name).toBe(isTold ? 1 : 0);
      expect(await titlesOf(person), name).toEqual(isTold ? ['Maintenance'] : []);
    }
  });

  it("is read once, is listed with a seller's site changes, and the next one is unread", async () => {
    const { seller, admin } = people;
    const id = await makeSite(seller.userId, 100, { name: 'Alder', status: 'Pending' });
    await announce('sellers', 'First');
    await bulkSites(admin, { ids: [id], change: { kind: 'approve' } });
    expect(await markRead(seller)).toMatchObject({
      unread: 2,
      items: [{ kind: 'site.approved' }, { kind: 'announcement', title: 'First', type: 'warning' }],
    });
    expect(await countUnread(seller)).toBe(0);
    await announce('sellers', 'Second');
    expect(await getNotifications(seller)).toMatchObject({
      unread: 1,
      items: [{ title: 'Second', isUnread: true }, { isUnread: false }, { isUnread: false }],
    });
  });

  it('is not shown to users who registered later', async () => {
    await announce('everyone');
    const newcomer = await makeUser();
    expect(await getNotifications(newcomer)).toEqual({ items: [], upTo: '', unread: 0, unshown: 0 });
  });

  it('is corrected in every bell without a new notification, and removed when deleted', async () => {
    const { admin, customer } = people;
    await announce('customers');
    await markRead(customer);
    const { id, version } = await only();
    const corrected = { title: 'Moved', message: 'Tomorrow.', type: 'info', audience: 'customers' } as const;
    await updateAnnouncement(admin, { id, version, ...corrected });
    expect(await titlesOf(customer)).toEqual(['Moved']);
    expect(await countUnread(customer)).toBe(0);
    await expect(deleteAnnouncement(admin, { id, version })).rejects.toMatchObject({ code: 'conflict' });
    await deleteAnnouncement(admin, { id, version: version + 1 });
    expect(await titlesOf(customer)).toEqual([]);
    await expect(updateAnnouncement(admin, { id, version: version + 1, ...corrected })).rejects.toMatchObject({
      code: 'not_found',
    });
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id));
    expect(lines.map(({ action }) => action)).toEqual([
      'announcement.created',
      'announcement.changed',
      'announcement.deleted',
    ]);
  });

  it('accepts one of several concurrent edits, and rejects the others as stale', async () => {
    await announce('everyone');
    const { id, version, message, type, audience } = await only();
    const edits = ['A', 'B', 'C'].map((title) =>
      updateAnnouncement(people.admin, { id, version, title, message, type, audience }),
    );
    const outcomes = await Promise.allSettled(edits);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
