import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NextRequest } from 'next/server';
import { encode } from 'next-auth/jwt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountCookie } from '@/lib/access/account-choice';
import { encodeSessionToken, sessionCookieName } from '@/lib/auth/session-token';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { config, middleware } from '@/middleware';

/** Without a database: the middleware decides by the token alone. */
beforeEach(() => vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none'));
afterEach(() => vi.unstubAllEnvs());

const cookieOf = (token: string) => ({ cookie: `${sessionCookieName()}=${token}` });
const running = (portals?: Parameters<typeof encodeSessionToken>[3]) =>
  encodeSessionToken(newId(), newId(), 3_600, portals);

/** The path of the redirect; null when the request passes to the page. */
async function leadsTo(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<string | null> {
  const answer = await middleware(new NextRequest(`http://localhost:3000${path}`, { headers, method }));
  if (answer.headers.get('x-middleware-next') === '1') return null;
  expect(answer.status).toBe(307);
  const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '');
  return `${pathname}?next=${searchParams.get('next')}`;
}

const portals = [
  ['user', '/user/orders', '/user/login'],
  ['seller', '/seller/my-sites', '/seller/login'],
  ['admin', '/dashboard/features/users', '/admin/login'],
] as const;

describe.each(portals)('the %s portal', (portal, path, signIn) => {
  const refused = `${signIn}?next=${path}`;

  it('admits a session with its role, and one whose token does not name portals', async () => {
    for (const token of [await running(['user', portal]), await running()])
      for (const method of ['GET', 'HEAD']) expect(await leadsTo(path, cookieOf(token), method)).toBeNull();
  });

  it('redirects a request without a cookie', async () => {
    expect(await leadsTo(path)).toBe(refused);
    expect(await leadsTo(path, {}, 'POST')).toBe(refused);
    expect(await leadsTo(`${path}?q=a&_rsc=1x`)).toBe(`${refused}?q=a`);
  });

  it('redirects a request whose token is forged, damaged, expired or incomplete', async () => {
    const [ids, secret] = [{ sub: newId(), sid: newId(), portals: [portal] }, env().NEXTAUTH_SECRET];
    const good = await running([portal]);
    const bad = [
      'nonsense',
      '',
      `${good.slice(0, -4)}AAAA`,
      await encode({ token: ids, secret: 'the secret of another installation' }),
      await encode({ token: ids, secret, salt: 'of another cookie' }),
      await encodeSessionToken(newId(), newId(), -60, [portal]),
      await encode({ token: { sub: newId(), portals: [portal] }, secret }),
      await encode({ token: { ...ids, portals: ['root'] }, secret }),
    ];
    for (const token of bad) expect(await leadsTo(path, cookieOf(token)), token).toBe(refused);
    expect(await leadsTo(path, { cookie: `linkmarket.session.1=${good}` })).toBe(refused);
  });

  it('leaves a server action, and a request with an Authorization header, to their own checks', async () => {
    expect(await leadsTo(path, { ...cookieOf('nonsense'), 'next-action': 'a' }, 'POST')).toBeNull();
    expect(await leadsTo(path, { authorization: 'Bearer nonsense' })).toBeNull();
  });

  it('leaves a session without its role to the page when the database does not respond', async () => {
    expect(await leadsTo(path, cookieOf(await running([])))).toBeNull();
  });
});

it.each([
  '/',
  '/user/login',
  '/user/forgot',
  '/seller/login',
  '/seller/forgot',
  '/admin/login',
  '/register',
  '/users',
  '/dashboards',
  '/404',
])('%s is public, whatever the cookie', async (path) => {
  for (const headers of [{}, cookieOf('nonsense'), cookieOf(await running(['user']))])
    expect(await leadsTo(path, headers)).toBeNull();
});

describe('the files of the portals', () => {
  const app = resolve(import.meta.dirname, '../../../app');
  const pathsOf = (file: string) =>
    ['(user)', '(seller)', '(admin)'].flatMap((group) =>
      readdirSync(join(app, group), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(`/${file}`))
        .map((name) => `/${name.slice(0, -file.length - 1)}`.replace(/\/\([^)]+\)/g, '').replace(/\[\w+\]/g, newId()))
        .filter((path) => new RegExp(`^${config.matcher}$`).test(path)),
    );

  it('with a route handler respond to an invalid session themselves', async () => {
    for (const path of pathsOf('route.ts')) {
      expect(await leadsTo(path, cookieOf('nonsense')), path).toBeNull();
      expect(await leadsTo(path), path).toMatch(/login/);
    }
  });

  it('with a page are guarded', async () => {
    const paths = pathsOf('page.tsx');
    expect(paths.length).toBeGreaterThan(40);
    for (const path of paths) expect(await leadsTo(path, cookieOf('nonsense')), path).toMatch(/login/);
  });
});

it('a link that names an account chooses it and opens its page, after the sign-in', async () => {
  const path = '/user/orders/5?tab=room&account=team-1';
  expect(await leadsTo(path)).toBe(`/user/login?next=${path}`);
  const headers = cookieOf(await running(['user']));
  const answer = await middleware(new NextRequest(`http://localhost:3000${path}`, { headers }));
  expect(answer.status).toBe(307);
  expect(answer.headers.get('location')).toBe('http://localhost:3000/user/orders/5?tab=room');
  expect(answer.cookies.get(accountCookie)).toMatchObject({ value: 'team-1', path: '/', sameSite: 'lax' });
  // Other portals have no accounts.
  expect(await leadsTo('/seller/orders?account=x', cookieOf(await running(['seller'])))).toBeNull();
});
