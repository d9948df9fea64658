import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/create';
import { fundWallet } from '../factories/fund-wallet';
import { makeAccount } from '../factories/make-account';
import { makeProject } from '../factories/make-project';
import { makeSite } from '../factories/make-site';
import { type Answer, openClient } from '../setup/http-client';
import { type DecoyServer, startDecoyServer } from '../setup/start-decoy-server';
import { decoyTexts, hostileTexts, sharpTexts } from './hostile-values';
import { failedParts, pageParameters } from './page-parameters';
import { examplePath, portalPages, publicPages, type Route, routes } from './routes';
import { sampled } from './sampled';

let decoy: DecoyServer = { url: '', visits: [], close: () => undefined };
let admin = openClient();
let buyer = openClient();
let seller = openClient();
/** Another user's record, which only staff may read. */
const secret = newId();

beforeAll(async () => {
  decoy = await startDecoyServer();
  const signedIn = async (role: 'Admin' | 'User' | 'Seller') => {
    const client = openClient();
    await client.signIn('user', (await makeAccount({ role })).email);
    return client;
  };
  [admin, buyer, seller] = await Promise.all([signedIn('Admin'), signedIn('User'), signedIn('Seller')]);
  const [owner, vendor] = [await makeAccount({ name: secret }), await makeAccount({ role: 'Seller', name: secret })];
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

/** The values for one parameter: the sharp ones, and a third of the others, which neighbouring parameters share. */
const textsFor = (path: string, index: number) => {
  const sharp = sharpTexts.filter((text) => text.length < 2_000);
  const others = [
    ...hostileTexts.slice(sharpTexts.length),
    ...decoyTexts(decoy.url),
    ...[' ', '_', '\\', '[]', '0', '0x10', '9007199254740993', 'x'.repeat(5_000)],
  ];
  const common = [...sharp, '', '%', '-1', '1e999'];
  // A full export is slow, and its list has the same filter.
  const sample = path.endsWith('/export')
    ? sharp.filter((text) => !/\p{Cs}/u.test(text))
    : [...common, ...others.filter((_, turn) => turn % 3 === index % 3)];
  return sampled([...common, ...others], sample).map((text) => text.replace(/\p{Cs}/gu, '\ufffd'));
};

/** The sharpest of them, because a page is slower than an API response. */
const pageTexts = () => [...sharpTexts.slice(0, 4), '{{7*7}}', '__proto__', '-1', 'x'.repeat(300), decoy.url];

const callerOf = (access: Route['access']) => (access === 'seller' ? seller : access === 'session' ? buyer : admin);
/** Whether a response has no records: a total of 0, an empty list, or a file with only headers. */
function isEmpty({ headers, body }: Answer): boolean {
  const total = headers.get('x-total-count');
  if (total !== null) return Number(total) === 0;
  if (Array.isArray(body)) return body.length === 0;
  return typeof body === 'string' && body.trim().split('\n').length < 2;
}

describe.each(routes.filter(({ method }) => method === 'GET'))('GET $path', (address) => {
  it('returns no more for any parameter, and no server error', async () => {
    const client = callerOf(address.access);
    const path = examplePath(address.path);
    const ask = async (query: string) => {
      const answer = await client.get(`${path}?${query}`);
      const body = JSON.stringify(answer.body) ?? '';
      expect(answer.status, `${query}: ${body.slice(0, 300)}`).toBeLessThan(500);
      if (client !== admin) expect(body.includes(secret), query).toBe(false);
      return [answer.status, isEmpty(answer)];
    };
    for (const [index, name] of address.query.entries()) {
      for (const text of textsFor(address.path, index)) await ask(`${name}=${encodeURIComponent(text)}`);
      for (const [all, none] of conditions) {
        const [first, second] = [
          await ask(`${name}=${encodeURIComponent(all)}`),
          await ask(`${name}=${encodeURIComponent(none)}`),
        ];
        // Other tests insert records meanwhile, so the two are compared by whether there are any.
        expect(first, `${name}: ${all}`).toEqual(second);
      }
      await ask(`${name}=a&${name}=b&${name}[]=c&${name}[x]=d`);
    }
    for (const odd of [
      '__proto__[x]=y',
      'constructor[prototype][x]=y',
      '__proto__=y',
      'toString=y',
      '%00=%00',
      '%ff=%fe',
      '%',
      '=&=&?&#',
      '&'.repeat(500),
    ]) {
      await ask(odd);
    }
  }, 300_000);
});

const pages = [
  ...portalPages.map(({ path, access }) => ({ path, client: () => callerOf(access) })),
  ...publicPages.map((path) => ({ path, client: () => openClient() })),
];

describe.each(pages)('$path', ({ path, client }) => {
  it('renders every parameter as text, without a server error', async () => {
    expect(pageParameters.length).toBeGreaterThan(30);
    for (const text of pageTexts()) {
      // Invalid parameters are ignored, so that one does not hide the next.
      const query = pageParameters.map((name) => `${name}=${encodeURIComponent(text)}`).join('&');
      const { status, body } = await client().get(`${examplePath(path)}?${query}`);
      expect(status, text).toBeLessThan(500);
      expect(failedParts(String(body)), text).toEqual([]);
      expect(/<script>alert|<img src=x/.test(String(body)), text).toBe(false);
      expect(String(body).includes(secret) && path.startsWith('/user'), text).toBe(false);
    }
  }, 300_000);
});

it('connects to no address in a query', () => {
  expect(decoy.visits).toEqual([]);
});
