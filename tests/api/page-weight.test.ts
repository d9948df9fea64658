import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { listingMetrics } from '@/db/enums';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { issueProof } from '@/lib/links/passport/proofs';
import { makeAccount } from '@/tests/factories/make-account';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makeOrder } from '@/tests/factories/make-order';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { portalPages, publicPages } from './routes';

/** The budget for the scripts of any page's first load, in compressed kilobytes. React and Next.js alone take 133. */
const limitKb = 210;

/** The budget of the marketplace, where buyers spend their time. */
const marketplaceKb = 180;

/** Two redirect, two exist once an admin has published them, and the public catalog is off at first (explore.test.ts). */
const signedOutPages = publicPages.filter(
  (path) => !['/', '/login', '/terms', '/privacy'].includes(path) && !path.startsWith('/explore'),
);
const pages = [
  ...signedOutPages.map((path) => ({ path, portal: 'none' as const })),
  ...portalPages.filter(({ path }) => !path.includes('[')),
];
const people = { user: 'User', seller: 'Seller', admin: 'Admin' } as const;

const cookies = { none: '', user: '', seller: '', admin: '' };
let proofId: string | null = null;
const sizes = new Map<string, Promise<number>>();

beforeAll(async () => {
  const check = await makeLinkCheck((await makeOrder(1_000)).id);
  proofId = await db().transaction((tx) => issueProof(tx, check));
  for (const portal of ['user', 'seller', 'admin'] as const) {
    const client = openClient();
    await client.signIn(portal, (await makeAccount({ role: people[portal] })).email);
    cookies[portal] = client.cookie();
  }
});

it('first loads at most 210 kB of script, and 180 kB on the marketplace', async () => {
  const weights = new Map<string, number>();
  for (const { path, portal } of pages) weights.set(path, await weightOf(path, cookies[portal]));
  expect([...weights].filter(([, kb]) => kb > limitKb)).toEqual([]);
  expect(weights.get('/user/marketplace')).toBeLessThanOrEqual(marketplaceKb);
}, 120_000);

it('sends a marketplace of 30 rows in at most 90 kB of HTML, 13 kB compressed', async () => {
  const word = `w${newId().slice(-7)}`;
  const seller = await makeUser('Seller');
  const origins = (row: number) =>
    Object.fromEntries(
      listingMetrics.map((metric) => {
        // Each seller typed on another day, and some figures are measured.
        const day = `2026-10-${String(row).padStart(2, '0')}`;
        const isMeasured = row % 5 === 0 && (metric === 'dr' || metric === 'traffic');
        return [metric, { source: isMeasured ? (metric === 'dr' ? 'ahrefs' : 'search_console') : 'seller', asOf: day }];
      }),
    );
  for (let row = 1; row <= 30; row += 1) {
    const host = `garden-journal-${row}.example.com`;
    const id = await makeSite(seller.userId, 4_000 + 37 * row, {
      ...{ name: `${word} Garden Journal ${row}`, url: `https://www.${host}/`, urlKey: `${host}/${word}` },
      ...{ niche: 'Real Estate', country: 'United Kingdom', ownership: row % 10 === 0 ? ('owner' as const) : null },
      ...{ dr: 20 + row, da: 18 + row, authorityScore: 15 + row, spam: row % 7, traffic: 1_234 * row },
      ...{ keywordsCount: 321 * row, refDomains: 97 * row },
    });
    await db()
      .update(sites)
      .set({ figureSources: origins(row) })
      .where(eq(sites.id, id));
  }
  const { status, body } = await openClient(cookies.user).get(`/user/marketplace?q=${word}`);
  expect(status).toBe(200);
  const html = String(body);
  const markup = html.replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, '');
  const count = (tag: RegExp) => markup.match(tag)?.length ?? 0;
  expect(count(/<tr\b/g)).toBe(31);
  expect.soft(Buffer.byteLength(html)).toBeLessThanOrEqual(90_000);
  // The figures of each row have a day of their own, which is the least compressible page.
  expect.soft(gzipSync(html).length).toBeLessThanOrEqual(13_000);
  expect.soft(count(/<[a-z]/g), 'elements').toBeLessThanOrEqual(1_000);
  expect.soft(count(/<svg\b/g), 'inline icons').toBeLessThanOrEqual(40);
});

/** What a current browser loads: every script of the page except those for browsers without modules. */
async function weightOf(path: string, cookie: string): Promise<number> {
  // Of the pages of one record, only link passports are public.
  const { status, body } = await openClient(cookie).get(path.replace('[id]', proofId ?? ''));
  expect(status, path).toBe(200);
  const tags = [...String(body).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  const sources = tags
    .filter((tag) => !/\bnomodule\b/i.test(tag))
    .flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? []);
  const loaded = await Promise.all([...new Set(sources)].map((source) => sizeOf(source)));
  expect(loaded.length, path).toBeGreaterThan(0);
  return loaded.reduce((sum, bytes) => sum + bytes, 0) / 1000;
}

/** A chunk that several pages share is fetched once. */
function sizeOf(source: string): Promise<number> {
  const known = sizes.get(source);
  if (known) return known;
  const size = fetch(new URL(source, appUrl)).then(async (response) => {
    expect(response.status, source).toBe(200);
    return gzipSync(Buffer.from(await response.arrayBuffer())).length;
  });
  sizes.set(source, size);
  return size;
}
