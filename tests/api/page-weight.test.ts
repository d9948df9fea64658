import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { issueProof } from '@/lib/links/passport/proofs';
import { makeAccount } from '@/tests/factories/make-account';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makeOrder } from '@/tests/factories/make-order';
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
