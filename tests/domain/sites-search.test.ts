import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import { listOrders } from '@/lib/orders/order/queries';
import { searchPalette } from '@/lib/search/palette';
import { getCatalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { countByFilter } from '@/lib/sites/catalogue/filter-counts';
import { listListedSites } from '@/lib/sites/catalogue/respond-with-catalogue';
import { type SiteFilter, sitesQuery } from '@/lib/sites/catalogue/schemas';
import { createSite } from '@/lib/sites/create';
import { createSiteBody, updateSiteBody } from '@/lib/sites/edit-schemas';
import { importSites } from '@/lib/sites/import/import-sites';
import { listManagedSites } from '@/lib/sites/managed-queries';
import { listSellerSites } from '@/lib/sites/seller-queries';
import { updateSite } from '@/lib/sites/update';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';

let admin: Actor;
const ids: Record<string, number> = {};

const count = async (filter: SiteFilter) =>
  (await countByFilter(filter, { accountId: admin.userId, hasBlocks: false }, await getCatalogueVersion())).sites;

beforeAll(async () => {
  admin = await makeUser('Admin');
  const add = async (key: string, url: string, name: string) => {
    const body = { url, name, status: 'Approved', publicPrice: 10, price: 5, language: 'Deutsch' };
    ids[key] = (await createSite(admin, createSiteBody.parse(body))).id;
  };
  await add('plain', 'https://www.Searched-Garden.example/', 'Green leaves');
  await add('unicode', 'gärtnerei-suche.example', 'Zweites Blatt');
  await add('encoded', 'https://xn--bltter-cua.example', 'Blatt drei');
  await add('accented', 'cafe-suche.example', 'Cafe\u0301 Ka\u0308fer');
  await add('dotted', 'scripts-suche.example', 'Tips for node.js and/or a/b tests');
});

const found = {
  marketplace: async (q: string) => (await listListedSites(sitesQuery.parse({ q, limit: '20' }))).rows,
  staff: async (q: string) =>
    (await listManagedSites({ q, limit: 20, offset: 0, sort: { key: 'added', order: 'desc' } })).rows,
  seller: async (q: string) => (await listSellerSites(admin.userId, { q, limit: 20, offset: 0 })).rows,
  palette: async (q: string) =>
    (await searchPalette(admin, { q })).filter(({ kind }) => kind === 'site').map(({ id }) => ({ id: Number(id) })),
};

it.each([
  ['https://www.searched-garden.example/2026/05/an-article?utm_source=a#b', 'plain'],
  [`https://searched-garden.example/${'long-path/'.repeat(30)}`, 'plain'],
  ['www.searched-garden.example', 'plain'],
  ['SEARCHED-GARDEN.EXAMPLE', 'plain'],
  ['searched-garden.example.:443', 'plain'],
  ['\u200b searched-garden.example\ufeff ', 'plain'],
  ['//searched-garden.example/x', 'plain'],
  ['searched-gar', 'plain'],
  ['green', 'plain'],
  ['gärtnerei-suche.example', 'unicode'],
  ['ga\u0308rtnerei-suche.example/x', 'unicode'],
  ['https://xn--grtnerei-suche-5hb.example/x', 'unicode'],
  ['GÄRTNEREI-SUCHE.example', 'unicode'],
  ['blätter.example', 'encoded'],
  ['https://www.xn--bltter-cua.example/a', 'encoded'],
  ['Café', 'accented'],
  ['Ka\u0308fer', 'accented'],
  ['node.js', 'dotted'],
  ['a/b', 'dotted'],
  ['and/or', 'dotted'],
])('%j finds a site in every list', async (q, key) => {
  for (const [list, search] of Object.entries(found)) {
    expect([list, (await search(q)).map(({ id }) => id)]).toEqual([list, [ids[key]]]);
  }
  expect(await count(sitesQuery.parse({ q }))).toBe(1);
});

it('finds no site for another address', async () => {
  for (const q of [
    'https://other-garden.example/green',
    'searched-garden.example.org',
    'https://searched-garden.com/',
    '100%',
  ]) {
    for (const [list, search] of Object.entries(found)) expect([list, q, await search(q)]).toEqual([list, q, []]);
  }
});

it('finds the orders of a site by the address of an article', async () => {
  const { id, buyer } = await makeOrder(1_000);
  await db().update(orders).set({ website: 'https://www.ordered-suche.example' }).where(eq(orders.id, id));
  for (const q of ['https://ordered-suche.example/a/b?c', 'www.ordered-suche.example', 'ordered-suche.example.']) {
    expect((await listOrders(buyer, { q, limit: 5, offset: 0 })).rows.map((row) => row.id)).toEqual([id]);
    expect((await listAllOrders({ q, limit: 5, offset: 0 })).rows.map((row) => row.id)).toEqual([id]);
  }
});

it('imports one site for all spellings of its host, days for turnarounds and the names of languages', async () => {
  const importer = await makeUser('Admin');
  const send = (lines: string[]) =>
    importSites(importer, { file: Readable.from([lines.join('\n')]), name: 'a.csv', audience: 'staff' });
  expect(
    await send([
      'Website,Price',
      ...[
        'dupe.example',
        'dupe.example.',
        'dupe.example:80',
        'https://dupe.example:443',
        'https://\u200bdupe.example',
      ].map((url) => `${url},50`),
      ...['müller.example,50', 'xn--mller-kva.example,50'],
    ]),
  ).toMatchObject({ inserted: 2, duplicates: 5, skipped: 0 });
  const result = await send([
    'Website,Name,Price,TAT,Language',
    'a.example,A\u200b,$50/post,48 horas,Deutsch',
    'b.example,,"Rs. 4,500/-",1 week (7 days),"EN, ES"',
    'c.example,C,50,2-Mar,en',
    'd.example,D,50,3,Klingon',
    'e.example,\u2060,$50/month,3,en',
  ]);
  expect(result).toMatchObject({ inserted: 2, skipped: 3 });
  expect(result.errors).toMatchObject([
    { column: 'TAT', reason: expect.stringContaining('“2-Mar”') },
    { column: 'Language', reason: expect.stringContaining('ISO code') },
    { column: 'Price' },
  ]);
  expect(await send(['Website,Turnaround (hours)', 'hours-a.example,36', 'hours-b.example,3 days'])).toMatchObject({
    inserted: 2,
  });
  const stored = await db().select().from(sites).where(eq(sites.ownerId, importer.userId)).orderBy(sites.id);
  expect(stored).toMatchObject([
    { url: 'https://dupe.example', urlKey: 'dupe.example' },
    { url: 'https://müller.example', name: 'müller.example' },
    { name: 'A', tat: '2 Days', tatDays: 2, language: 'German', sellerPriceCents: 5_000, publicCurrency: 'USD' },
    {
      name: 'b.example',
      tat: '7 Days',
      tatDays: 7,
      language: 'English, Spanish',
      sellerPriceCents: 450_000,
      publicCurrency: 'INR',
    },
    { name: 'hours-a.example', tatDays: 2 },
    { name: 'hours-b.example', tatDays: 3 },
  ]);
});

it('filters and edits languages by any of their names', async () => {
  const query = sitesQuery.parse({ q: 'searched-garden', language: 'de', limit: '5' });
  expect((await listListedSites(query)).rows).toMatchObject([{ id: ids.plain, language: 'German' }]);
  expect(await count(query)).toBe(1);
  const changes = updateSiteBody.parse({
    language: 'Español',
    tat: '2 semanas',
    url: 'http://searched-garden.example:80',
  });
  const after = await updateSite(admin, ids.plain ?? 0, changes);
  expect(after).toMatchObject({ language: 'Spanish', tat: '14 Days', tatDays: 14, urlKey: 'searched-garden.example' });
});
