import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { createEmailToken } from '@/lib/auth/email-token';
import { listSessions } from '@/lib/auth/security-overview';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { openClient, type Portal } from '@/tests/setup/http-client';
import { callAction, findAction } from '@/tests/setup/server-action';

type Client = ReturnType<typeof openClient>;
type Carrier = { name: 'cookie' | 'bearer'; client: Client; headers: Record<string, string> };

const password = 'a new and long password';
const security = { user: '/user/security', seller: '/seller/security', admin: '/dashboard/security' } as const;
const actions = { endSession: '', endOthers: '', changePassword: '', endUserSessions: '' };
let admin = openClient();

beforeAll(async () => {
  admin = await signedIn('admin', (await makeAccount({ role: 'Admin' })).email);
  actions.endSession = await findAction(admin, security.admin, 'endSessionAction');
  actions.endOthers = await findAction(admin, security.admin, 'endOtherSessionsAction');
  actions.changePassword = await findAction(admin, security.admin, 'changePasswordAction');
  actions.endUserSessions = await findAction(admin, security.admin, 'endUserSessionsAction');
});

async function signedIn(portal: Portal, email: string): Promise<Client> {
  const client = openClient();
  expect((await client.signIn(portal, email)).status).toBe(200);
  return client;
}

/** The two ways to send a session token. The cookie is kept apart from the client that may sign out. */
function carriersOf(client: Client): Carrier[] {
  const token = client.cookie().split('=')[1] ?? '';
  return [
    { name: 'cookie', client: openClient(client.cookie()), headers: {} },
    { name: 'bearer', client: openClient(), headers: { authorization: `Bearer ${token}` } },
  ];
}

/** The responses for a user at the three kinds of entry points: a page, a route handler, a server action. */
async function entryPoints({ client, headers }: Carrier, portal: Portal) {
  const page = await client.get(security[portal], headers);
  const me = await client.get(`/api/${portal}/auth/me`, headers);
  // An unknown session: 404 with a session, 401 without.
  const ended = await callAction(client, security[portal], actions.endSession, { sessionId: newId() }, headers);
  return {
    page: page.status === 200 && String(page.body).includes('Manage your sessions') ? 'open' : signInOf(page),
    handler: me.status,
    action: ended.status,
  };
}

function signInOf({ headers, body }: { headers: Headers; body: unknown }): string {
  const place = headers.get('location') ?? String(body);
  return /\/(user|admin|seller)\/login/.exec(place)?.[0] ?? place.slice(0, 200);
}

const open = { page: 'open', handler: 200, action: 404 };
const closed = (portal: Portal) => ({ page: `/${portal}/login`, handler: 401, action: 401 });

/** Everything that ends a session; `other` is another session of the same user. */
const endings: [what: string, end: (who: { actor: Actor; client: Client; other: Client }) => Promise<unknown>][] = [
  ['a sign-out', ({ client }) => client.post('/api/user/auth/logout')],
  [
    'a sign-out by bearer',
    ({ client }) => openClient().post('/api/auth/logout', undefined, carriersOf(client)[1]?.headers),
  ],
  ['suspension', ({ actor }) => change(actor, { status: 'Suspended' })],
  ['expiry of the account', ({ actor }) => change(actor, { status: 'Expired' })],
  ['deletion', ({ actor }) => change(actor, { deletedAt: new Date() })],
  [
    'a changed password',
    ({ other }) => act(other, actions.changePassword, { current: testPassword, password, confirm: password }),
  ],
  [
    'a password set by mail',
    async ({ actor }) => {
      const token = await createEmailToken(db(), actor.userId, 'reset-password');
      expect((await openClient().post('/api/user/auth/reset', { token, password })).status).toBe(200);
    },
  ],
  [
    'an admin who ends the person’s sessions',
    ({ actor }) => act(admin, actions.endUserSessions, { email: actor.email }, security.admin),
  ],
  ['the person who ends the others', ({ other }) => act(other, actions.endOthers, {})],
  [
    'the person who ends this one',
    async ({ actor, other }) => {
      const [first] = await db()
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.userId, actor.userId))
        .orderBy(sessions.id);
      await act(other, actions.endSession, { sessionId: first?.id });
    },
  ],
  [
    'its time',
    ({ actor }) =>
      db()
        .update(sessions)
        .set({ expiresAt: new Date(Date.now() - 1_000) })
        .where(eq(sessions.userId, actor.userId)),
  ],
];

const change = (actor: Actor, values: Partial<typeof users.$inferInsert>) =>
  db().update(users).set(values).where(eq(users.id, actor.userId));

async function act(client: Client, id: string, input: unknown, page: string = security.user): Promise<void> {
  expect(await callAction(client, page, id, input)).toMatchObject({ status: 200 });
}

describe.each(endings)('after %s', (_, end) => {
  it('the next request has no session: at a page, a handler and an action, by cookie and bearer', async () => {
    const actor = await makeAccount();
    const client = await signedIn('user', actor.email);
    const other = await signedIn('user', actor.email);
    const carriers = carriersOf(client);
    for (const carrier of carriers) expect(await entryPoints(carrier, 'user'), carrier.name).toEqual(open);
    await end({ actor, client, other });
    for (const carrier of carriers) expect(await entryPoints(carrier, 'user'), carrier.name).toEqual(closed('user'));
  });
});

describe('a session that continues', () => {
  it('is the one that changed the password, and the one that ended the others', async () => {
    const actor = await makeAccount();
    const [first, second] = [await signedIn('user', actor.email), await signedIn('user', actor.email)];
    await act(second, actions.endOthers, {});
    await act(second, actions.changePassword, { current: testPassword, password, confirm: password });
    for (const carrier of carriersOf(second)) expect(await entryPoints(carrier, 'user')).toEqual(open);
    for (const carrier of carriersOf(first)) expect(await entryPoints(carrier, 'user')).toEqual(closed('user'));
  });

  it('of another user can be ended by an admin only', async () => {
    const [owner, stranger] = [await makeAccount(), await makeAccount({ role: 'Seller' })];
    const client = await signedIn('user', owner.email);
    const [session] = await listSessions(owner.userId);
    const attacker = await signedIn('user', stranger.email);
    const tried = await callAction(attacker, security.user, actions.endSession, { sessionId: session?.id });
    const refused = await callAction(attacker, security.user, actions.endUserSessions, { email: owner.email });
    expect([tried.status, refused.status]).toEqual([404, 403]);
    for (const carrier of carriersOf(client)) expect(await entryPoints(carrier, 'user')).toEqual(open);
  });
});

describe('a changed role applies from the next request', () => {
  it('for a former seller', async () => {
    const actor = await makeAccount({ role: 'Seller' });
    const carriers = carriersOf(await signedIn('seller', actor.email));
    for (const carrier of carriers) expect(await entryPoints(carrier, 'seller'), carrier.name).toEqual(open);
    await change(actor, { role: 'User' });
    for (const carrier of carriers) {
      // The session is valid, so an action for every user responds.
      expect(await entryPoints(carrier, 'seller'), carrier.name).toEqual({
        page: '/seller/login',
        handler: 403,
        action: 404,
      });
      expect(await entryPoints(carrier, 'user'), carrier.name).toEqual(open);
    }
  });

  it('for a former admin', async () => {
    const actor = await makeAccount({ role: 'Admin' });
    const carriers = carriersOf(await signedIn('admin', actor.email));
    const credentials = { email: `${newId()}@example.com` };
    const statuses = (carrier: Carrier) =>
      callAction(carrier.client, security.admin, actions.endUserSessions, credentials, carrier.headers);
    for (const carrier of carriers) expect((await statuses(carrier)).status, carrier.name).toBe(404);
    await change(actor, { role: 'User' });
    for (const carrier of carriers) {
      expect((await statuses(carrier)).status, carrier.name).toBe(403);
      expect(await entryPoints(carrier, 'admin'), carrier.name).toMatchObject({ page: '/admin/login', handler: 403 });
    }
  });
});

describe('a server action', () => {
  const ask = (client: Client, headers: Record<string, string>) =>
    callAction(client, security.user, actions.endSession, { sessionId: newId() }, headers);

  it('does nothing for a cross-site request', async () => {
    const client = await signedIn('user', (await makeAccount()).email);
    const forgedHeaders: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of forgedHeaders) {
      const { status } = await ask(client, headers);
      // 403 from the app, or rejected by Next.js before.
      expect(status, JSON.stringify(headers)).toBeGreaterThanOrEqual(400);
      expect(status, JSON.stringify(headers)).not.toBe(404);
    }
    expect((await ask(client, {})).status).toBe(404);
  });

  it('requires a session, whatever headers the request has', async () => {
    const forgedHeaders: Record<string, string>[] = [
      {},
      { 'x-middleware-subrequest': Array(6).fill('middleware').join(':') },
    ];
    for (const headers of forgedHeaders) {
      const { status, text } = await ask(openClient('linkmarket.session.0=invalid'), headers);
      expect(status).toBe(401);
      expect(text).not.toContain('Manage your sessions');
    }
  });
});
