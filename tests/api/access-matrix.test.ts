import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { type AccountRole, accountRoles } from '@/db/enums';
import { accountMembers } from '@/db/schema/accounts';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { type Permission, permissions } from '@/lib/access/permissions';
import { accountHeader } from '@/lib/auth/current-actor';
import { newId } from '@/lib/ids';
import { createLink } from '@/lib/orders/requests/client-link';
import { makeBuyerRecords } from '@/tests/factories/make-buyer-records';
import { makeRequest } from '@/tests/factories/make-request';
import { makeRole } from '@/tests/factories/make-staff';
import { makeTeam } from '@/tests/factories/make-team';
import { makeToken } from '@/tests/factories/make-token';
import { makeUser } from '@/tests/factories/make-user';
import { type Answer, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { operations } from './account-roles';
import { rightsInVerbs } from './rights-in-verbs';
import { examplePath, isGuarded, type Route, routes } from './routes';
import { specification } from './specification';

const callers = ['stranger', 'buyer', 'seller', 'staff without it', 'staff with it', 'admin'] as const;
type Caller = (typeof callers)[number];

/**
 * Cookies by caller. Staff have one per permission: `with:ManageOrders`, and `without:ManageOrders` with all others.
 */
const cookies: Record<string, string> = { stranger: '' };

beforeAll(async () => {
  const signedIn = async (role: string) => {
    const { userId } = await makeUser('User', { role });
    return (await openSession(userId)).cookie();
  };
  const staff = async (granted: readonly Permission[]) => signedIn(await makeRole(granted));
  for (const [who, role] of [
    ['buyer', 'User'],
    ['seller', 'Seller'],
    ['admin', 'Admin'],
  ] as const) {
    cookies[who] = await signedIn(role);
  }
  for (const { access } of routes) {
    if (typeof access === 'string') continue;
    cookies[`without:${access}`] ??= await staff(permissions.filter((one) => !access.includes(one)));
  }
  await Promise.all(
    permissions.map(async (permission) => {
      cookies[`with:${permission}`] = await staff([...new Set<Permission>(['AdminDashboard', permission])]);
      cookies[`without:${permission}`] = await staff(permissions.filter((one) => one !== permission));
    }),
  );
});

function cookieOf(caller: Caller, access: Route['access']): string {
  if (caller === 'staff with it' || caller === 'staff without it') {
    const word = caller === 'staff with it' ? 'with' : 'without';
    const isPermission = typeof access !== 'string' || permissions.some((one) => one === access);
    if (!isPermission) return cookies['with:AdminDashboard'] ?? '';
    if (typeof access === 'string') return cookies[`${word}:${access}`] ?? '';
    return cookies[word === 'with' ? `with:${access[0]}` : `without:${access}`] ?? '';
  }
  return cookies[caller] ?? '';
}

/** 401, 403, or null for an admitted caller. */
function refusal(caller: Caller, access: Route['access']): 401 | 403 | null {
  if (!isGuarded({ access })) return null;
  if (caller === 'stranger') return 401;
  if (isOpenToUsers(access)) return null;
  if (access === 'seller') return caller === 'seller' ? null : 403;
  return caller === 'admin' || caller === 'staff with it' ? null : 403;
}

/** Calls an endpoint with harmless input: an unknown record and an empty body. */
async function call({ method, path }: Route, cookie: string) {
  // Middleware redirects a browser without any cookie to the sign-in page; this test calls the handler itself.
  const sentCookie = cookie || path.startsWith('/api/') ? cookie : 'linkmarket.session.0=invalid';
  return openClient(sentCookie).request(examplePath(path), { method, ...(method !== 'GET' && { body: {} }) });
}

/** What is wrong with an answer; null when the caller is admitted or refused as expected. */
function complaint(address: Route, expected: 401 | 403 | null, { status, headers, body }: Answer): string | null {
  const isExpected =
    expected === null
      ? ![401, 403].includes(status) && status < 500
      : status === expected && refused.safeParse(body).success;
  if (!isExpected) return `${status} ${JSON.stringify(body)}`;
  const kept = headers.get('cache-control') ?? '';
  const isStorable = status === 200 && address.options.includes('isRevalidated');
  const isKept = isStorable ? ['private, no-store', 'private, no-cache'].includes(kept) : kept.includes('no-store');
  return isKept ? null : `${status} with Cache-Control: ${kept}`;
}

const refused = z.strictObject({ error: z.string() });

it.each(routes.filter(isGuarded))('$method $path ($access) admits and refuses each caller', async (address) => {
  const complaints = await Promise.all(
    callers.map(async (caller) => {
      const answer = await call(address, cookieOf(caller, address.access));
      const wrong = complaint(address, refusal(caller, address.access), answer);
      return wrong === null ? [] : [`${caller}: ${wrong}`];
    }),
  );
  expect(complaints.flat()).toEqual([]);
});

describe('endpoints without a session', () => {
  it.each(routes.filter(({ access }) => access === 'public'))('$method $path requires no session', async (address) => {
    const { status, headers } = await call(address, '');
    expect([401, 403]).not.toContain(status);
    expect(status).toBeLessThan(500);
    // Public keys are the same for every caller.
    const isKeys = address.path === '/.well-known/linkmarket-keys';
    expect(headers.get('cache-control')).toContain(isKeys ? 'public, max-age=300' : 'no-store');
  });

  it.each(routes.filter(({ access }) => access === 'signature'))(
    '$method $path requires a signature',
    async (address) => {
      for (const who of ['stranger', 'admin']) {
        const { status } = await call(address, cookies[who] ?? '');
        // 503 where the provider is not configured.
        expect([400, 401, 403, 503]).toContain(status);
      }
    },
  );

  it.each(routes.filter(({ access }) => access === 'cron secret' || access === 'metrics token'))(
    '$method $path is forbidden for an admin too',
    async (address) => {
      for (const who of ['stranger', 'admin']) {
        expect([401, 404]).toContain((await call(address, cookies[who] ?? '')).status);
      }
    },
  );
});

describe('an unknown path', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    "returns the app's own error for %s",
    async (method) => {
      for (const path of ['/api/nothing', '/api/orders/5/nothing', '/api/user/auth']) {
        const { status, headers, body } = await openClient().request(path, { method });
        expect([status, body]).toEqual([404, { error: 'No endpoint exists at this path.' }]);
        expect(headers.get('cache-control')).toContain('no-store');
      }
    },
  );
});

it('serves every endpoint of the specification', () => {
  const served = routes.map(({ method, path }) => `${method} ${path}`);
  expect(specification.filter((address) => !served.includes(address))).toEqual([]);
});

/** The clients of a team's members, with the records of the team, which its Buyer made. */
const team = {
  clients: new Map<string, ReturnType<typeof openClient>>(),
  ...{ accountId: '', accountName: '', orderId: 0, disputeId: '', projectId: '', cartId: '', endpointId: '' },
  ...{ refundId: '', reference: '', invoice: '', siteId: 0, topupId: '', requestId: '', shownId: '' },
};

describe('a member of a team', () => {
  beforeAll(async () => {
    const [{ members, ...made }, other, vendor] = [await makeTeam(), await makeTeam(), await makeUser('Seller')];
    Object.assign(team, made, await makeBuyerRecords(members.buyer, vendor));
    // One that stays open.
    const shown = await makeRequest({ id: made.accountId, projectId: team.projectId }, members.buyer, [5_000]);
    team.shownId = shown.id;
    for (const id of [team.requestId, team.shownId]) await createLink(members.owner, id, {});
    for (const role of accountRoles)
      team.clients.set(role, await openSession(members[role].userId, { accountId: made.accountId }));
    // The same person and a member of another team, for whom the records do not exist.
    team.clients.set('alone', await openSession(members.owner.userId));
    team.clients.set('other', await openSession(other.members.owner.userId, { accountId: other.accountId }));
  });

  const ask = (who: string, path: string, options?: Parameters<ReturnType<typeof openClient>['request']>[1]) =>
    (team.clients.get(who) ?? openClient()).request(path, options);

  /** Addresses of the team's own records. */
  const ownIds: Record<string, () => string | number> = {
    '/api/orders/[id]': () => team.orderId,
    '/api/disputes/[id]': () => team.disputeId,
    '/api/invoices/[file]': () => `${team.invoice}.pdf`,
    '/api/user/projects/[id]': () => team.projectId,
    '/api/user/carts/[id]': () => team.cartId,
    '/api/user/accounts/[id]': () => team.accountId,
    '/api/user/requests/[id]': () => team.requestId,
    '/api/webhooks/[id]': () => team.endpointId,
    '/api/wallet/refund-requests/[id]': () => team.refundId,
    '/api/wallet/topup/bank/[reference]': () => `${team.reference}.pdf`,
    '/user/orders/[id]': () => team.orderId,
    '/user/projects/[id]': () => team.projectId,
    '/user/wallet/bank/[reference]': () => team.reference,
    '/user/wallet/wechat/[id]': () => team.topupId,
    '/user/requests/[id]': () => team.shownId,
    '/user/webhooks/[id]': () => team.endpointId,
  };
  const ownPath = (path: string): string => {
    const [prefix = ''] = Object.keys(ownIds).filter((known) => path.startsWith(known));
    return examplePath(prefix ? path.replace(prefix, prefix.replace(/\[\w+\]/, String(ownIds[prefix]?.()))) : path);
  };

  /** What a verb reads before it decides. Others get an empty body. */
  const bodies: Record<string, () => unknown> = {
    'POST /api/disputes/[id]/proposals': () => ({ buyerPercent: 50 }),
    'PATCH /api/user/accounts/[id]': () => ({ name: team.accountName }),
    'POST /api/user/accounts/[id]/members': () => ({
      ...{ email: `${newId()}@example.com`, role: 'buyer', projectIds: 'all', monthlyLimitCents: null },
    }),
    'PATCH /api/user/accounts/[id]/members/[userId]': () => ({ role: 'buyer' }),
  };

  const ofRoutes = operations.filter(({ kind }) => kind !== 'page' && kind !== 'action');

  it.each(ofRoutes)('$kind $name admits $admitted', async ({ kind: method, name, admitted }) => {
    const address = `${method} ${name}`;
    const isRead = method === 'GET';
    // A change gets the records of the team only where its verb decides by them.
    const path = isRead || address in rightsInVerbs ? ownPath(name) : examplePath(name);
    const answers = new Map<AccountRole, Answer>();
    for (const role of accountRoles) {
      const body = bodies[address]?.() ?? {};
      answers.set(role, await ask(role, path, { method, ...(!isRead && { body }) }));
    }
    const complaints = [...answers].flatMap(([role, { status, body }]) => {
      const isOwners = !isRead || status === answers.get('owner')?.status;
      const isAdmitted = ![401, 403].includes(status) && status < 500 && isOwners;
      const message = JSON.stringify(body) ?? '';
      const isRefused =
        address in rightsInVerbs
          ? [403, 404].includes(status)
          : status === 403 && message.includes(`Your role in ${team.accountName} (${role})`);
      if (admitted.includes(role) ? isAdmitted : isRefused) return [];
      return [`${role}: ${status} ${message.slice(0, 200)}`];
    });
    expect(complaints).toEqual([]);
    if (!isRead || path === examplePath(name)) return;
    for (const who of ['alone', 'other']) {
      const { status, body } = await ask(who, path);
      // The person's own list of members is the same in each account.
      const isOfPerson = who === 'alone' && name.startsWith('/api/user/accounts/');
      expect({ who, status, body }).toMatchObject({ who, status: isOfPerson ? 200 : 404 });
    }
  });

  it.each(operations.filter(({ kind }) => kind === 'page'))(
    'page $name admits $admitted',
    async ({ name, admitted }) => {
      const complaints: string[] = [];
      for (const role of accountRoles) {
        const { status, headers, body } = await ask(role, ownPath(name));
        const led = headers.get('location') ?? /NEXT_REDIRECT;\w+;([^;]+)/.exec(String(body))?.[1];
        // The requests are the home of a client.
        const isHome = role === 'client' && ['/user', '/user/dashboard'].includes(name);
        const expected = isHome ? '/user/requests' : admitted.includes(role) ? undefined : '/user';
        if (led !== expected || status >= 400) complaints.push(`${role}: ${status} ${led}`);
      }
      expect(complaints).toEqual([]);
    },
  );
});

describe('the account of a request', () => {
  it('is that of X-Account, of which the caller must be a member', async () => {
    const { accountId, accountName, members } = await makeTeam();
    const deleted = await makeTeam({ deletedAt: new Date() });
    // Its memberships ended with it.
    await db().delete(accountMembers).where(eq(accountMembers.accountId, deleted.accountId));
    const former = await openSession(deleted.members.owner.userId);
    expect((await former.get('/api/orders', { [accountHeader]: deleted.accountId })).status).toBe(404);
    const client = await openSession(members.owner.userId);
    const name = async (id: string, path = '/api/orders') => client.get(path, { [accountHeader]: id });
    expect((await name(accountId)).status).toBe(200);
    expect((await name(members.owner.userId)).status).toBe(200);
    const strange = [
      deleted.accountId,
      members.manager.userId,
      newId(),
      'x',
      '',
      '../x',
      `${accountId}'`,
      'x'.repeat(500),
    ];
    for (const id of strange) {
      // Also where the answer does not depend on the account.
      for (const path of ['/api/orders', '/api/user/auth/me', '/api/niches-types'])
        expect({ id, path, status: (await name(id, path)).status }).toEqual({ id, path, status: 404 });
    }
    const { body } = await (await openSession(members.client.userId)).get('/api/orders', {
      [accountHeader]: accountId,
    });
    expect(JSON.stringify(body)).toContain(accountName);
  });

  it('of an API token is that of the token, and ends with the membership', async () => {
    const { accountId, members } = await makeTeam();
    const { userId } = members.manager;
    const [ofTeam, own] = [await makeToken(userId, ['read'], { accountId }), await makeToken(userId, ['read'])];
    const get = async (headers: Record<string, string>) => (await openClient().get('/api/orders', headers)).status;
    expect(await get({ ...ofTeam.headers, [accountHeader]: accountId })).toBe(200);
    expect(await get({ ...ofTeam.headers, [accountHeader]: userId })).toBe(403);
    expect(await get({ ...own.headers, [accountHeader]: accountId })).toBe(403);
    expect(await get({ ...own.headers, [accountHeader]: newId() })).toBe(403);
    await endMembership(accountId, userId);
    expect(await get(ofTeam.headers)).toBe(401);
    expect(await get(own.headers)).toBe(200);
  });

  it('is the personal one once the membership that the switcher chose has ended, at the next request', async () => {
    const { accountId, members } = await makeTeam();
    const records = await makeBuyerRecords(members.buyer, await makeUser('Seller'));
    const client = await openSession(members.buyer.userId, { accountId });
    expect((await client.get(`/api/orders/${records.orderId}`)).status).toBe(200);
    await endMembership(accountId, members.buyer.userId);
    expect((await client.get(`/api/orders/${records.orderId}`)).status).toBe(404);
    expect(await client.get('/api/orders')).toMatchObject({ status: 200, body: [] });
    expect((await client.get('/api/orders', { [accountHeader]: accountId })).status).toBe(404);
    const strange = await openSession(members.owner.userId, { accountId: newId() });
    expect(await strange.get('/api/orders')).toMatchObject({ status: 200, body: [] });
  });
});

const endMembership = (accountId: string, userId: string) =>
  db()
    .delete(accountMembers)
    .where(and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, userId)));
