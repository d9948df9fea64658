import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { type Permission, permissions } from '@/lib/access/permissions';
import { makeRole } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { type Answer, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
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
