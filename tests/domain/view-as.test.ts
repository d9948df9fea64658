import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { paths } from '@/app/api/openapi.json/paths';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { featureRoles } from '@/db/schema/feature-roles';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import type { Permission } from '@/lib/access/permissions';
import { findActor } from '@/lib/auth/current-actor';
import { sessionCookieName } from '@/lib/auth/session-token';
import { isViewedPage, startViewing, stopViewing } from '@/lib/auth/viewing';
import { getBuyerLayout, getLatestTransactions } from '@/lib/dashboard/buyer';
import { viewOnlyMessage } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { openRoom } from '@/lib/orders/messages/stream';
import { recordAudit } from '@/lib/platform/audit/record';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { makeRole } from '@/tests/factories/make-staff';
import { allActions } from '@/tests/setup/all-actions';
import { callHandler, inRequest } from '@/tests/setup/request-scope';
import { createSessionToken } from '@/tests/setup/session-token';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const granted: Permission[] = ['AdminDashboard', 'ManageUsers', 'ManageOrders', 'ManageSites'];
const reason = 'Ticket 7';

/** A session of a new member of staff. */
async function staffSession(role: string) {
  const { userId } = await makeAccount({ role });
  const cookie = `${sessionCookieName()}=${await createSessionToken(userId)}`;
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const actor = async (): Promise<Actor | null> => {
    const [, token = ''] = cookie.split('=');
    return (await findActor({ headers: new Headers(), cookies: { get: () => ({ value: token }) } })).actor;
  };
  const start = async (viewed: { userId: string }) => {
    const staff = await actor();
    if (!staff) throw new Error('The session has ended.');
    return startViewing(staff, { userId: viewed.userId, reason });
  };
  return { userId, headers, actor, start };
}

let role = '';
beforeAll(async () => {
  role = await makeRole(granted);
});

describe('a session that views a user', () => {
  it('is that user, read-only, until it is stopped; start and end are audited with the reason', async () => {
    const [staff, buyer] = [await staffSession(role), await makeAccount()];
    expect(await staff.start(buyer)).toEqual({ home: '/user' });
    const actor = await staff.actor();
    expect(actor).toMatchObject({ userId: buyer.userId, permissions: [], hasRecentAuthentication: false });
    expect(actor?.viewing).toMatchObject({ isOver: false, staff: { userId: staff.userId } });
    expect(await stopViewing(actor)).toEqual({ home: `/dashboard/features/users/${buyer.userId}` });
    expect(await staff.actor()).toMatchObject({ userId: staff.userId, role });
    expect((await staff.actor())?.viewing).toBeUndefined();
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, buyer.userId));
    expect(lines.map(({ action, userId }) => [action, userId])).toEqual([
      ['view.started', staff.userId],
      ['view.ended', staff.userId],
    ]);
    expect(lines[0]?.details).toContain(reason);
  });

  it('is refused every action and every address that needs a session', async () => {
    const staff = await staffSession(role);
    // A seller passes the access of both portals.
    await staff.start(await makeAccount({ role: 'Seller' }));
    const before = await db().select().from(auditLogs);
    const open: string[] = [];
    for (const [name, action] of Object.entries(await allActions())) {
      const answer = await inRequest(staff.headers, () => action('nonsense'));
      // Public actions have no actor: their input is invalid.
      const isRefused = !answer.ok && (answer.error === viewOnlyMessage || answer.status === 400);
      if (!isRefused) open.push(name);
    }
    for (const [path, handlers] of Object.entries(paths)) {
      for (const [method, handler] of Object.entries(handlers)) {
        if (handler.declaration.access === 'public') continue;
        const url = `http://localhost:3000${path.replace(/\[.*?\]/g, '1')}`;
        const answer = await callHandler(handler, url, { method, headers: staff.headers });
        if (answer.status !== 403 || !JSON.stringify(answer.body).includes(viewOnlyMessage))
          open.push(`${method} ${path}`);
      }
    }
    expect(open).toEqual([]);
    expect(await db().select().from(auditLogs)).toHaveLength(before.length);
  });

  it('writes nothing by a verb that is called anyway, because the audit log refuses the actor', async () => {
    const [staff, buyer] = [await staffSession(role), await makeAccount()];
    await staff.start(buyer);
    const actor = await staff.actor();
    if (!actor) throw new Error('There is no actor.');
    const entry = { action: 'order.created', details: '', entityType: 'order', entityId: 1 };
    await expect(db().transaction((tx) => recordAudit(tx, actor, entry))).rejects.toThrow(viewOnlyMessage);
  });

  it('shows the room of an order as it is, without what the API refuses', async () => {
    const [staff, { id, buyer }] = [await staffSession(role), await makeOrder(1_000)];
    const open = async (actor: Actor | null) => actor && openRoom(actor, 'buyer', id);
    expect(await open(buyer)).toMatchObject({ isLive: true, first: { closed: null } });
    await staff.start(buyer);
    expect(await open(await staff.actor())).toMatchObject({ isLive: false, first: { closed: viewOnlyMessage } });
  });

  it('shows neither the balance nor transactions, and no page of money or secrets', async () => {
    const [staff, buyer] = [await staffSession(role), await makeAccount()];
    await fundWallet(buyer.userId, 5_000);
    await staff.start(buyer);
    const actor = await staff.actor();
    if (!actor) throw new Error('There is no actor.');
    expect(await getBuyerLayout(actor)).toMatchObject({ balanceCents: 0 });
    expect(await getLatestTransactions(actor)).toEqual([]);
    const shown = ['/user', '/user/marketplace?q=a', '/user/orders/7', `/user/projects/${newId()}`, '/seller/my-sites'];
    expect(shown.filter((path) => !isViewedPage(path))).toEqual([]);
    const closed = [
      '/user/wallet',
      '/user/wallet/refunds',
      '/user/billing',
      '/user/orders/7/invoice',
      '/user/orders?status=Pending&invoice=7',
      '/user/orders?again=7',
      '/user/security',
      '/user/webhooks',
    ];
    closed.push(
      '/seller/earnings',
      '/seller/payouts',
      '/seller/security',
      '/user/orders/../wallet',
      '/user/%77allet',
      '',
    );
    expect(closed.filter(isViewedPage)).toEqual([]);
  });
});

describe('a view', () => {
  it.each<[string, (staff: Awaited<ReturnType<typeof staffSession>>, viewed: Actor) => Promise<unknown>]>([
    [
      'its time is over',
      ({ userId }) =>
        db()
          .update(sessions)
          .set({ viewEndsAt: new Date(0) })
          .where(eq(sessions.userId, userId)),
    ],
    ['the role of staff changes', ({ userId }) => db().update(users).set({ role: 'User' }).where(eq(users.id, userId))],
    ['the user becomes staff', (_, { userId }) => db().update(users).set({ role }).where(eq(users.id, userId))],
    [
      'the user gets a feature of staff',
      (_, { userId }) =>
        db()
          .insert(featureRoles)
          .values({ id: newId(), userId, name: 'Desk', features: [], permissions: ['ManageSites'] }),
    ],
    [
      'the user is suspended',
      (_, { userId }) => db().update(users).set({ status: 'Suspended' }).where(eq(users.id, userId)),
    ],
  ])('ends when %s, and the request that finds it changes nothing', async (_, change) => {
    const [staff, buyer] = [await staffSession(role), await makeAccount()];
    await staff.start(buyer);
    await change(staff, buyer);
    expect(await staff.actor()).toMatchObject({ userId: staff.userId, viewing: { isOver: true } });
    expect((await staff.actor())?.viewing).toBeUndefined();
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, buyer.userId));
    expect(lines.map(({ action }) => action)).toContain('view.ended');
  });

  it('needs ManageUsers and ManageOrders, for a seller also ManageSites, and never shows staff', async () => {
    const without = async (missing: Permission) =>
      staffSession(await makeRole(granted.filter((one) => one !== missing)));
    const [buyer, seller, other] = [
      await makeAccount(),
      await makeAccount({ role: 'Seller' }),
      await makeAccount({ role }),
    ];
    await expect((await without('ManageUsers')).start(buyer)).rejects.toMatchObject({ code: 'forbidden' });
    await expect((await without('ManageOrders')).start(buyer)).rejects.toMatchObject({ code: 'forbidden' });
    const noSites = await without('ManageSites');
    await expect(noSites.start(seller)).rejects.toMatchObject({ code: 'forbidden' });
    await noSites.start(buyer);
    const admin = await staffSession('Admin');
    for (const viewed of [other, await makeAccount({ role: 'Admin' }), { userId: admin.userId }])
      await expect(admin.start(viewed)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await admin.start(seller)).toEqual({ home: '/seller' });
  });
});
