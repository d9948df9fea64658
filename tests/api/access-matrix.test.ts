import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Permission, permissions } from '@/lib/access/permissions';
import { makeAccount } from '../factories/make-account';
import { makeRole } from '../factories/make-staff';
import { openClient } from '../setup/http-client';
import { type Address, contract, ours, revalidated } from './contract';
import { specification } from './specification';

const root = resolve(import.meta.dirname, '../..');

const callers = ['stranger', 'buyer', 'seller', 'staff without it', 'staff with it', 'admin'] as const;
type Caller = (typeof callers)[number];

/**
 * Cookies by caller. Staff have one per permission: `with:ManageOrders`, and `without:ManageOrders` with all others.
 */
const cookies: Record<string, string> = { stranger: '' };

beforeAll(async () => {
  const signedIn = async (role: string) => {
    const client = openClient();
    await client.signIn('user', (await makeAccount({ role })).email);
    return client.cookie();
  };
  const staff = async (granted: readonly Permission[]) => signedIn(await makeRole(granted));
  for (const [who, role] of [
    ['buyer', 'User'],
    ['seller', 'Seller'],
    ['admin', 'Admin'],
  ] as const) {
    cookies[who] = await signedIn(role);
  }
  for (const { access } of contract) {
    if (typeof access === 'string') continue;
    cookies[`without:${access}`] ??= await staff(permissions.filter((one) => !access.includes(one)));
  }
  for (const permission of permissions) {
    cookies[`with:${permission}`] = await staff([...new Set<Permission>(['AdminDashboard', permission])]);
    cookies[`without:${permission}`] = await staff(permissions.filter((one) => one !== permission));
  }
});

function cookieOf(caller: Caller, access: Address['access']): string {
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
function refusal(caller: Caller, access: Address['access']): 401 | 403 | null {
  if (access === 'public' || access === 'signed' || access === 'secret') return null;
  if (caller === 'stranger') return 401;
  if (access === 'session') return null;
  if (access === 'seller') return caller === 'seller' ? null : 403;
  return caller === 'admin' || caller === 'staff with it' ? null : 403;
}

/** Calls an endpoint with harmless input: an unknown record and an empty body. */
async function call({ method, path }: Address, cookie: string) {
  const concrete = path
    .replace('[...nextauth]', 'session')
    .replace('[...rest]', 'nothing/here')
    .replace('[provider]', 'stripe')
    .replace(/\[\w+\]/, '999999999');
  // Middleware redirects a browser without any cookie to the sign-in page; this test calls the handler itself.
  const asked = cookie || path.startsWith('/api/') ? cookie : 'linkmarket.session.0=nobody';
  return openClient(asked).request(concrete, { method, ...(method !== 'GET' && { body: {} }) });
}

const guarded = contract.filter(({ access }) => !['public', 'signed', 'secret'].includes(String(access)));

describe.each(guarded)('$method $path ($access)', (address) => {
  it.each(callers)('%s', async (caller) => {
    const expected = refusal(caller, address.access);
    const answer = await call(address, cookieOf(caller, address.access));
    if (expected === null) {
      expect([401, 403], JSON.stringify(answer.body)).not.toContain(answer.status);
      expect(answer.status).toBeLessThan(500);
    } else {
      expect(answer.status).toBe(expected);
      expect(answer.body).toEqual({ error: expect.any(String) });
    }
    const kept = answer.headers.get('cache-control');
    const mayBeKept = answer.status === 200 && revalidated.includes(`${address.method} ${address.path}`);
    if (mayBeKept && kept !== 'private, no-store') expect(kept).toBe('private, no-cache');
    else expect(kept).toContain('no-store');
  });
});

describe('endpoints without a session', () => {
  it.each(contract.filter(({ access }) => access === 'public'))(
    '$method $path requires no session',
    async (address) => {
      const { status, headers } = await call(address, '');
      expect([401, 403]).not.toContain(status);
      expect(status).toBeLessThan(500);
      expect(headers.get('cache-control')).toContain('no-store');
    },
  );

  it.each(contract.filter(({ access }) => access === 'signed'))(
    '$method $path requires a signature',
    async (address) => {
      for (const who of ['stranger', 'admin']) {
        const { status } = await call(address, cookies[who] ?? '');
        // 503 where the provider is not configured.
        expect([400, 401, 403, 503]).toContain(status);
      }
    },
  );

  it.each(contract.filter(({ access }) => access === 'secret'))(
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
        expect([status, body]).toEqual([404, { error: 'There is nothing at this address.' }]);
        expect(headers.get('cache-control')).toContain('no-store');
      }
    },
  );
});

describe('the list of endpoints', () => {
  const listed = contract.map(({ method, path }) => `${method} ${path}`);

  it('contains every exported handler with its access rule', () => {
    const folder = join(root, 'app');
    const handlers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(^|\/)route\.tsx?$/.test(file))
      .flatMap((file) => {
        const source = readFileSync(join(folder, file), 'utf8');
        const exported =
          /\bexport\s+(?:const|async function|function|\{)\s*(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/g;
        const methods = [...source.matchAll(exported)].map(([, name]) => name);
        // A handler exported in a form that this does not read would be missed.
        expect(methods.length, file).toBeGreaterThan(0);
        // Route groups in parentheses are not part of the path.
        const path = `/${file}`.replace(/\/route\.tsx?$/, '').replace(/\/\([^)]+\)/g, '');
        return methods.map((method) => `${method} ${path}`);
      });
    expect(handlers.sort()).toEqual(listed.toSorted());
  });

  it('contains every endpoint of the specification', () => {
    const built = listed.filter((address) => !ours.includes(address));
    expect(built.toSorted()).toEqual(specification.toSorted());
  });
});
