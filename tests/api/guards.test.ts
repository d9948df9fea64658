import { beforeAll, describe, expect, it } from 'vitest';
import { sessionCookieName } from '@/lib/auth/session-token';
import { makeAccount } from '../factories/make-account';
import { openClient } from '../setup/http-client';

/** Words that only the page itself has: neither its sign-in nor its loading state, which hold nobody's data. */
const pages: [path: string, content: string][] = [
  ['/user', 'at a glance'],
  ['/user/wallet', 'Search transactions ('],
  ['/user/security', 'Where you are signed in'],
  ['/seller', 'How your sites stand'],
  ['/seller/security', 'Where you are signed in'],
  ['/dashboard', 'How the marketplace does'],
  ['/dashboard/security', 'Where you are signed in'],
  ['/dashboard/features/orders', 'Search number, website'],
  ['/dashboard/features/audit-logs', 'Search details, people'],
];

/** Ways to ask for a page that a guard in the wrong place would let through. */
const disguises: [name: string, headers: Record<string, string>][] = [
  ['a plain request', {}],
  ['an RSC request', { rsc: '1' }],
  ['a prefetch', { rsc: '1', 'next-router-prefetch': '1' }],
  ['a segment prefetch', { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' }],
  ['a data request', { 'x-nextjs-data': '1' }],
  ['a speculative load', { purpose: 'prefetch', 'sec-purpose': 'prefetch' }],
  ['x-middleware-subrequest', { 'x-middleware-subrequest': Array(6).fill('middleware').join(':') }],
  ['x-middleware-subrequest of src', { 'x-middleware-subrequest': Array(6).fill('src/middleware').join(':') }],
  ['x-middleware-subrequest of proxy', { 'x-middleware-subrequest': Array(6).fill('proxy').join(':') }],
  ['x-middleware-next', { 'x-middleware-next': '1', 'x-middleware-rewrite': '/user' }],
  ['a forged path', { 'x-path': '/user/login', 'x-invoke-path': '/user/login', 'x-original-url': '/user/login' }],
];

let buyerCookie = '';
let endedCookie = '';

beforeAll(async () => {
  const [buyer, ended] = [openClient(), openClient()];
  await buyer.signIn('user', (await makeAccount()).email);
  buyerCookie = buyer.cookie();
  await ended.signIn('user', (await makeAccount({ role: 'Admin' })).email);
  endedCookie = ended.cookie();
  await openClient(endedCookie).post('/api/user/auth/logout');
});

describe.each(disguises)('%s', (_, headers) => {
  it.each(pages)('gets nothing of %s without a session', async (path, content) => {
    const portal = path.split('/')[1] === 'dashboard' ? 'admin' : path.split('/')[1];
    for (const cookie of ['', `${sessionCookieName()}=nonsense`, endedCookie]) {
      const answer = await ask(cookie, path, headers);
      expectNothing(answer, content, `/${portal}/login`);
    }
  });

  it.each(pages.filter(([path]) => !path.startsWith('/user')))(
    'gets nothing of %s with a buyer’s',
    async (path, content) => {
      const portal = path.startsWith('/dashboard') ? 'admin' : 'seller';
      expectNothing(await ask(buyerCookie, path, headers), content, `/${portal}/login`);
    },
  );
});

describe('the same pages', () => {
  it('have those words for whoever may see them', async () => {
    for (const [role, portal, start] of [
      ['User', 'user', '/user'],
      ['Seller', 'seller', '/seller'],
      ['Admin', 'admin', '/dashboard'],
    ] as const) {
      const client = openClient();
      await client.signIn(portal, (await makeAccount({ role })).email);
      for (const [path, content] of pages.filter(([candidate]) => candidate.startsWith(start))) {
        const { status, headers, body } = await client.get(path);
        expect(status, path).toBe(200);
        expect(String(body), path).toContain(content);
        expect(headers.get('cache-control'), path).toContain('no-store');
      }
    }
  });
});

/** The router's requests carry a check sum in their address; Next.js sends one without it to the right address first. */
async function ask(cookie: string, path: string, headers: Record<string, string>) {
  const client = openClient(cookie);
  const answer = await client.get(path, headers);
  const location = answer.headers.get('location') ?? '';
  return location.includes('_rsc') && location.startsWith(`${path}?`) ? client.get(location, headers) : answer;
}

/** A redirect to the sign-in, by status or (where an answer had begun) inside the router's own format; no content. */
function expectNothing(answer: { status: number; headers: Headers; body: unknown }, content: string, signIn: string) {
  const body = String(answer.body);
  expect(body.includes(content)).toBe(false);
  const leads = answer.headers.get('location') ?? body;
  if (answer.status === 200 && !body.includes('NEXT_REDIRECT')) {
    // The tree of a route: names of files, nothing of a person.
    expect(body.length).toBeLessThan(4_000);
    return;
  }
  expect(leads.includes(signIn), leads.slice(0, 300)).toBe(true);
}
