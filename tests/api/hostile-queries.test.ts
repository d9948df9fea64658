import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/order/create';
import { rotatingNinth, rotatingThird } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { type Answer, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { type DecoyServer, startDecoyServer } from '@/tests/setup/start-decoy-server';
import { createDealer, decoyTexts, hostileTexts, sharpTexts, unstorableText } from './hostile-values';
import { invalidValues } from './invalid-values';
import { failedParts, pageParameters } from './page-parameters';
import { examplePath, portalPages, publicPages, type Route, routes } from './routes';

const dealValues = createDealer();
let decoy: DecoyServer = { url: '', visits: [], close: () => undefined };
let admin = openClient();
let buyer = openClient();
let seller = openClient();
/** Another user's record, which only staff may read. */
const secret = newId();

beforeAll(async () => {
  decoy = await startDecoyServer();
  const signedIn = async (role: 'Admin' | 'User' | 'Seller') => openSession((await makeUser(role)).userId);
  [admin, buyer, seller] = await Promise.all([signedIn('Admin'), signedIn('User'), signedIn('Seller')]);
  const [owner, vendor] = [await makeUser('User', { name: secret }), await makeUser('Seller', { name: secret })];
  await fundWallet(owner.userId, 10_000);
  const siteId = await makeSite(vendor.userId, 1_000);
  await makeSite(vendor.userId, 1_000, { name: secret, status: 'Pending' });
  const projectId = await makeProject(owner, { domain: `${secret}.example.com`, keywords: secret });
  await createOrder(owner, { kind: 'custom', projectId, siteIds: [siteId] });
});

afterAll(() => decoy.close());

/** Pairs of which the first would match everything and the second nothing if they were part of a query. */
const conditions = [
  ["zqx' or '1'='1", "zqx' and '1'='2"],
  ["zqx' or 1=1 --", "zqx' and 1=2 --"],
  ["zqx%' or 'a' like 'a", "zqx%' and 'a' like 'b"],
  ['1 or 1=1', '1 and 1=2'],
  ['1) or (1=1', '1) and (1=2'],
  ['id asc, (select 1)', 'id asc, (select 2)'],
] as const;

/** A full export is slow, and its list has the same filter. */
const exportTexts = sharpTexts.filter((text) => text.length < 2_000 && !/\p{Cs}/u.test(text));
const otherTexts = [
  ...hostileTexts.filter((text) => text.length < 2_000),
  ...['-1', '', '%', '1e999', ' ', '_', '\\', '[]', '0', '0x10', 'x'.repeat(5_000)],
];

/** The values for one parameter: a NUL and a number beyond the limits, and some of the others, which shared code parses. */
function textsFor(path: string, name: string): string[] {
  const dealt = dealValues(name, path.endsWith('/export') ? exportTexts : [...otherTexts, ...decoyTexts(decoy.url)]);
  return [...new Set([unstorableText, '9007199254740993', ...dealt])].map((text) => text.replace(/\p{Cs}/gu, '\ufffd'));
}

const oddQueries = [
  '__proto__[x]=y',
  'constructor[prototype][x]=y',
  '__proto__=y',
  'toString=y',
  '%00=%00',
  '%ff=%fe',
  '%',
  '=&=&?&#',
  '&'.repeat(500),
];

/** Fewer, because a page is slower than an API response. */
const pageTexts = (index: number) =>
  rotatingThird([...sharpTexts.slice(0, 4), '{{7*7}}', '__proto__', '-1', 'x'.repeat(300), decoy.url], index);

const callerOf = (access: Route['access']) => (access === 'seller' ? seller : isOpenToUsers(access) ? buyer : admin);
/** Whether a response has no records: a total of 0, an empty list, or a file with only headers. */
function isEmpty({ headers, body }: Answer): boolean {
  const total = headers.get('x-total-count');
  if (total !== null) return Number(total) === 0;
  if (Array.isArray(body)) return body.length === 0;
  return typeof body === 'string' && body.trim().split('\n').length < 2;
}

const readRoutes = routes.filter(({ method }) => method === 'GET');

it.each(readRoutes.map((address, index) => ({ ...address, index })))(
  'GET $path returns no more for any parameter, and no server error',
  async (address) => {
    const client = callerOf(address.access);
    const path = examplePath(address.path);
    const ask = async (query: string) => {
      let answer = await client.get(`${path}?${query}`);
      // Other files export too, and few long lists are sent at once.
      for (; answer.status === 429; answer = await client.get(`${path}?${query}`)) await setTimeout(100);
      const body = JSON.stringify(answer.body) ?? '';
      expect(answer.status, `${query}: ${body.slice(0, 300)}`).toBeLessThan(500);
      if (client !== admin) expect(body.includes(secret), query).toBe(false);
      return [answer.status, isEmpty(answer)];
    };
    // One after another, because a user may have few long lists at once.
    // Every invalid value of each parameter is sent below.
    const names = rotatingNinth(address.query, address.index);
    for (const [position, name] of names.entries()) {
      for (const text of textsFor(address.path, name)) await ask(`${name}=${encodeURIComponent(text)}`);
      for (const [all, none] of rotatingThird(rotatingThird(conditions, address.index + position), position)) {
        const [first, second] = [
          await ask(`${name}=${encodeURIComponent(all)}`),
          await ask(`${name}=${encodeURIComponent(none)}`),
        ];
        // Other tests insert records meanwhile, so the two are compared by whether there are any.
        expect(first, `${name}: ${all}`).toEqual(second);
      }
      await ask(`${name}=a&${name}=b&${name}[]=c&${name}[x]=d`);
    }
    for (const odd of rotatingThird(oddQueries, address.index)) await ask(odd);
  },
  300_000,
);

const refusal = z.object({ error: z.string(), fields: z.record(z.string(), z.string()) });
const parameter = z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() });
const paths = z.record(z.string(), z.object({ get: z.object({ parameters: z.array(parameter) }).optional() }));

it('every list and export refuses an invalid value of each declared parameter, with its field', async () => {
  const documented = paths.parse(inject('openApi').paths);
  const failures: string[] = [];
  let count = 0;
  const check = async (address: Route, index: number) => {
    const client = callerOf(address.access);
    const path = address.path.replace('[...', '[').replace(/\[(\w+)\]/g, '{$1}');
    const parameters = (documented[path]?.get?.parameters ?? []).filter((one) => one.in === 'query');
    expect(parameters.map(({ name }) => name).sort(), address.path).toEqual([...address.query].sort());
    for (const [position, { name, schema }] of parameters.entries()) {
      for (const query of rotatingThird(invalidValues(name, schema), index + position)) {
        count++;
        const { status, body } = await client.get(`${examplePath(address.path)}?${query}`);
        const fields = Object.keys(refusal.safeParse(body).data?.fields ?? {});
        if (status !== 400 || !fields.some((field) => field.split('.')[0] === name))
          failures.push(`${address.path}?${query.slice(0, 80)}: ${status} ${fields.join()}`);
      }
    }
    // A form sends its blank fields too.
    const optional = parameters.filter(({ required }) => !required).map(({ name }) => `${name}=`);
    const blank = await client.get(`${examplePath(address.path)}?${optional.join('&')}&utm_source=x`);
    if (blank.status === 400 && parameters.every(({ required }) => !required)) failures.push(`${address.path}: blank`);
  };
  // The return from WordPress redirects the browser in every case (tests/domain/wordpress.test.ts).
  const waiting = readRoutes
    .filter(({ path, query }) => query.length > 0 && !path.endsWith('/wordpress/connect'))
    .map((address, index) => ({ address, index }));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await check(next.address, next.index);
  };
  await Promise.all([work(), work(), work(), work()]);
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(500);
}, 120_000);

const pages = [
  ...portalPages.map(({ path, access }) => ({ path, client: () => callerOf(access) })),
  ...publicPages.map((path) => ({ path, client: () => openClient() })),
];

it.each(rotatingNinth(pages.map((page, index) => ({ ...page, index }))))(
  '$path renders every parameter as text, without a server error',
  async ({ path, client, index }) => {
    expect(pageParameters.length).toBeGreaterThan(30);
    const render = async (text: string) => {
      // Invalid parameters are ignored, so that one does not hide the next.
      const query = pageParameters.map((name) => `${name}=${encodeURIComponent(text)}`).join('&');
      const { status, body } = await client().get(`${examplePath(path)}?${query}`);
      expect(status, text).toBeLessThan(500);
      expect(failedParts(String(body)), text).toEqual([]);
      expect(/<script>alert|<img src=x/.test(String(body)), text).toBe(false);
      expect(String(body).includes(secret) && path.startsWith('/user'), text).toBe(false);
    };
    await Promise.all(pageTexts(index).map(render));
  },
  300_000,
);

it('connects to no address in a query', () => {
  expect(decoy.visits).toEqual([]);
});
