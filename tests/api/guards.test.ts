import { beforeAll, describe, expect, it } from 'vitest';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { sessionCookieName } from '@/lib/auth/session-token';
import { isFullRun, rotatingThird } from '@/scripts/testing/tier';
import { makeRole } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { type Answer, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { examplePath, portalPages as pages } from './routes';

const addressOf = (path: string) => examplePath(path, '01jd0000000000000000000000');

/**
 * The forms of the router's requests for a page. Each renders other parts of it. Every page gets the first form, and one of
 * the others.
 */
const forms: [name: string, headers: Record<string, string>][] = [
  ['a plain request', {}],
  ['an RSC request', { rsc: '1' }],
  ['a prefetch', { rsc: '1', 'next-router-prefetch': '1' }],
  ['a segment prefetch', { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' }],
];

/**
 * Headers that could bypass a guard in the middleware. They do not affect the page, so one page of each kind is tested.
 */
const bypasses: [name: string, headers: Record<string, string>][] = [
  ['a data request', { 'x-nextjs-data': '1' }],
  ['a speculative load', { purpose: 'prefetch', 'sec-purpose': 'prefetch' }],
  ['x-middleware-subrequest', { 'x-middleware-subrequest': Array(6).fill('middleware').join(':') }],
  ['x-middleware-subrequest of src', { 'x-middleware-subrequest': Array(6).fill('src/middleware').join(':') }],
  ['x-middleware-subrequest of proxy', { 'x-middleware-subrequest': Array(6).fill('proxy').join(':') }],
  ['x-middleware-next', { 'x-middleware-next': '1', 'x-middleware-rewrite': '/user' }],
  ['a forged path', { 'x-path': '/user/login', 'x-invoke-path': '/user/login', 'x-original-url': '/user/login' }],
];

/** The first page of each portal for each access rule, with and without a record in its path. */
const pageOfEachKind = pages.filter(
  (page, index) => pages.findIndex((other) => kindOf(other) === kindOf(page)) === index,
);

function kindOf({ path, portal, access }: (typeof pages)[number]): string {
  return `${portal} ${access} ${path.includes('[')}`;
}

let buyerCookie = '';
let endedCookie = '';
let staffCookie = '';

beforeAll(async () => {
  const cookieOf = async (role: string) => (await openSession((await makeUser('User', { role })).userId)).cookie();
  // Staff with access to the admin area and no other permission.
  const staff = await makeRole(['AdminDashboard']);
  [buyerCookie, staffCookie, endedCookie] = [await cookieOf('User'), await cookieOf(staff), await cookieOf('Admin')];
  await openClient(endedCookie).post('/api/user/auth/logout');
});

describe.each([
  ...forms.map(([name, headers], index) => ({
    name,
    headers,
    asked: index === 0 ? pages : rotatingThird(pages, index),
  })),
  ...bypasses.map(([name, headers], index) => ({
    ...{ name, headers },
    asked: isFullRun ? pages : rotatingThird(pageOfEachKind, index),
  })),
])('$name', ({ headers, asked }) => {
  it.each(asked)(
    'gets nothing of $path ($access) without a session and access',
    async ({ path, portal, access, text }) => {
      const isOpenToStaff = isOpenToUsers(access) || access === 'AdminDashboard';
      const callers = {
        'no cookie': '',
        'a forged cookie': `${sessionCookieName()}=nonsense`,
        'an ended session': endedCookie,
        ...(!isOpenToUsers(access) && { 'a buyer': buyerCookie }),
        ...(!isOpenToStaff && { 'staff without the permission': staffCookie }),
      };
      await Promise.all(
        Object.entries(callers).map(async ([who, cookie]) => {
          const answer = await ask(cookie, addressOf(path), headers);
          // The prefetch of staff returns the loading state with the area's frame, which they may see.
          if (cookie === staffCookie && answer.status === 200 && 'next-router-prefetch' in headers)
            expect(String(answer.body).includes(text), who).toBe(false);
          else expectNothing(who, answer, text, `/${portal}/login`);
        }),
      );
    },
  );
});

it.each([
  ['User', 'user'],
  ['Seller', 'seller'],
  ['Admin', 'admin'],
] as const)('the pages contain their texts for an admitted user: %s', async (role, portal) => {
  const client = await openSession((await makeUser(role)).userId);
  for (const { path, text } of pages.filter((page) => page.portal === portal && !page.path.includes('['))) {
    const { status, headers, body } = await client.get(path);
    expect(status, path).toBe(200);
    expect(String(body).includes(text), path).toBe(true);
    expect(headers.get('cache-control'), path).toContain('no-store');
  }
});

/** The router's URLs contain a checksum; Next.js first redirects a request without it. */
async function ask(cookie: string, path: string, headers: Record<string, string>) {
  const client = openClient(cookie);
  const answer = await client.get(path, headers);
  const location = answer.headers.get('location') ?? '';
  return location.includes('_rsc') && location.startsWith(`${path}?`) ? client.get(location, headers) : answer;
}

/** A redirect to the sign-in page by status, or inside the router's format after streaming began; without content. */
function expectNothing(who: string, answer: Answer, content: string, signIn: string) {
  const body = String(answer.body);
  expect(body.includes(content), who).toBe(false);
  const leads = answer.headers.get('location') ?? body;
  if (answer.status === 200 && !body.includes('NEXT_REDIRECT')) {
    // The route tree contains file names and no user data.
    expect(body.length, who).toBeLessThan(4_000);
    return;
  }
  expect(leads.includes(signIn), `${who}: ${leads.slice(0, 300)}`).toBe(true);
}
