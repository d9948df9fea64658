import { beforeAll, describe, expect, it, vi } from 'vitest';
import { paths } from '@/app/api/openapi.json/paths';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { isPermission } from '@/lib/access/permissions';
import { type TokenScope, tokenScopes } from '@/lib/access/token-scopes';
import { methods } from '@/lib/platform/openapi/document';
import { isGuarded, type Route, routes } from '@/tests/api/routes';
import { makeToken } from '@/tests/factories/make-token';
import { makeUser } from '@/tests/factories/make-user';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

/**
 * Every address × every scope of a token, as the reviewed access snapshot says. The owner of the token has every role
 * that the address needs, so that only the scope decides.
 */
const isHandler = (value: unknown): value is Parameters<typeof callHandler>[0] => typeof value === 'function';
type Owner = 'admin' | 'seller' | 'buyer';
const headers: Partial<Record<string, Record<string, string>>> = {};

const ownerOf = ({ access }: Route): Owner =>
  access === 'seller' ? 'seller' : isOpenToUsers(access) ? 'buyer' : 'admin';

beforeAll(async () => {
  const owners = { admin: await makeUser('Admin'), seller: await makeUser('Seller'), buyer: await makeUser() };
  for (const [owner, { userId }] of Object.entries(owners)) {
    for (const scope of tokenScopes) {
      const scopes: TokenScope[] = isPermission(scope) ? ['AdminDashboard', scope] : [scope];
      headers[`${owner} ${scope}`] = (await makeToken(userId, scopes)).headers;
    }
  }
});

const refusal = /^This API token lacks the scope |^This request cannot be made with an API token\./;

describe.each(routes.filter((route) => isGuarded(route)))('$method $path', (route) => {
  it(`admits tokens with the scope ${route.scope.join(' or ') || '(none)'} only`, async () => {
    const method = methods.find((one) => one === route.method);
    const handler: unknown = method && paths[route.path]?.[method];
    if (!isHandler(handler)) throw new Error(`No handler of ${route.method} ${route.path}`);
    const params = Object.fromEntries(
      [...route.path.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map(([, name = '']) => [name, '999999999']),
    );
    const admitted: string[] = [];
    for (const scope of tokenScopes) {
      // A token with a permission also has AdminDashboard.
      if (isPermission(scope) && scope !== 'AdminDashboard' && String(route.access) === 'AdminDashboard') continue;
      const sent = { method: route.method, headers: headers[`${ownerOf(route)} ${scope}`], params };
      const url = `http://localhost:3000${route.path}`;
      const {
        status,
        body,
        headers: answered,
      } = await callHandler(handler, url, {
        ...sent,
        ...(route.method !== 'GET' && { body: {} }),
      });
      expect(answered.get('ratelimit')).toMatch(/^"token";r=\d+;t=\d+$/);
      const message = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : '';
      if (status === 403 && refusal.test(message)) continue;
      expect([401, 403], message).not.toContain(status);
      admitted.push(scope);
    }
    expect(admitted.sort()).toEqual([...route.scope].sort());
  });
});
