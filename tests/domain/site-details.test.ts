import { Readable } from 'node:stream';
import { and, asc, eq, like } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { domainFigures } from '@/db/schema/domain-figures';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { bulkSites } from '@/lib/sites/bulk';
import { findListedSite, listSimilarSites } from '@/lib/sites/catalogue/listed-sites';
import { listListedSites } from '@/lib/sites/catalogue/respond-with-catalogue';
import { createOwnSite } from '@/lib/sites/create';
import { listFigures } from '@/lib/sites/domain-figures/list';
import { recordFigures } from '@/lib/sites/domain-figures/record';
import { refreshSiteFigures } from '@/lib/sites/domain-figures/refresh';
import { editOwnSiteInput, ownSiteBody, updateSiteBody } from '@/lib/sites/edit-schemas';
import { importSites } from '@/lib/sites/import/import-sites';
import type { ImportAudience } from '@/lib/sites/import/map-header';
import { bulkSitesInput } from '@/lib/sites/managed-schemas';
import { sellerSiteView } from '@/lib/sites/seller-view';
import { updateOwnSite, updateSite } from '@/lib/sites/update';
import { adminSiteView, publicSiteView } from '@/lib/sites/views';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const url = 'https://www.heron-daily.example';
const own = (body: Record<string, unknown> = {}) =>
  ownSiteBody.parse({ url, name: 'Heron', country: 'USA', niche: 'Travel', price: 713.17, ...body });
const sale = { status: 'Approved', publicPrice: 999.91 };

const stored = async (id: number) => {
  const [row] = await db().select().from(sites).where(eq(sites.id, id));
  if (!row) throw new Error('The site was not found.');
  return row;
};
/** The figures of a listing by metric: value, source and day. */
const figuresOf = async (id: number) =>
  Object.fromEntries(
    (await listFigures(db(), { id })).map(({ metric, value, source, asOf }) => [metric, [value, source, asOf]]),
  );
const today = new Date().toISOString().slice(0, 10);
const countRows = () => db().$count(domainFigures);
/** Records a measured figure. */
const measure = (domain: string, value: number, asOf = today) =>
  db().transaction(async (tx) => {
    await recordFigures(tx, [{ domain, metric: 'dr', value, source: 'ahrefs', asOf }]);
    await refreshSiteFigures(tx, [domain]);
  });
const send = (actor: Actor, lines: string[], audience: ImportAudience) =>
  importSites(actor, { file: Readable.from([Buffer.from(lines.join('\n'))]), name: 'sites.csv', audience });

describe('sample posts and rules', () => {
  it('are entered by the seller, and shown to buyers once the site is approved', async () => {
    const [seller, admin] = [await makeUser('Seller', { name: 'Secretive Owner' }), await makeUser('Admin')];
    const site = await createOwnSite(
      seller,
      own({
        samplePosts: ` heron-daily.example/a\n\n${url}/b heron-daily.example/a`,
        rules: ' No casinos.\r\nTwo links. ',
      }),
    );
    const details = {
      samplePosts: ['https://heron-daily.example/a', `${url}/b`],
      rules: 'No casinos.\nTwo links.',
    };
    expect(sellerSiteView(site)).toMatchObject(details);
    expect(await findListedSite(site.id)).toBeNull();

    expect(adminSiteView(await updateSite(admin, site.id, updateSiteBody.parse(sale)))).toMatchObject(details);
    const seen = await findListedSite(site.id);
    expect(seen).toMatchObject({ ...details, usdCents: 99_991, figures: [], record: null });
    // Neither under another name: the price and the identity of the seller, and what staff know.
    const text = JSON.stringify(seen);
    for (const secret of ['71317', '713.17', seller.userId, seller.name, seller.email])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/owner(?!ship)|sellerPrice|adminPrice|version|rejection/i);
    // The list does not carry them.
    const { rows } = await listListedSites({ ids: [site.id] });
    expect(rows.map(publicSiteView).flatMap(Object.keys)).not.toContain('rules');
  });

  it('send an edited site back to review, and stay when another field is edited', async () => {
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const { id } = await createOwnSite(seller, own({ rules: 'Old' }));
    await updateSite(admin, id, updateSiteBody.parse(sale));
    const { version } = await stored(id);
    // A client that does not know the field keeps it.
    const kept = await updateOwnSite(seller, id, version, own());
    expect(kept).toMatchObject({ rules: 'Old', status: 'Approved' });
    const { body } = editOwnSiteInput.parse({ id: String(id), version, body: { ...ownFields, rules: 'New' } });
    expect(await updateOwnSite(seller, id, version, body)).toMatchObject({ rules: 'New', status: 'Pending' });
    expect(await findListedSite(id)).toBeNull();
  });

  it('are refused for other websites, addresses that are not public, and more than five', async () => {
    for (const samplePosts of [
      'javascript:alert(1)',
      'http://127.0.0.1/a',
      'http://localhost/a',
      'https://u:p@heron-daily.example/a',
      'ftp://heron-daily.example/a',
      Array.from({ length: 6 }, (_, index) => `${url}/${index}`),
    ])
      expect(ownSiteBody.safeParse({ ...ownFields, samplePosts }).success).toBe(false);
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const foreign = { samplePosts: ['https://about-the-seller.example/contact'] };
    const refusal = { code: 'invalid_input', details: { fields: { samplePosts: 'Use posts on the site itself.' } } };
    await expect(createOwnSite(seller, own(foreign))).rejects.toMatchObject(refusal);
    const id = await makeSite(seller.userId, 1_000, { url, urlKey: 'heron-daily.example', samplePosts: `${url}/a` });
    await expect(updateSite(admin, id, updateSiteBody.parse(foreign))).rejects.toMatchObject(refusal);
    // Also when the site moves to another address.
    await expect(updateSite(admin, id, updateSiteBody.parse({ url: 'https://moved.example' }))).rejects.toMatchObject(
      refusal,
    );
    // A subdomain belongs to the site.
    const blog = { samplePosts: 'https://blog.heron-daily.example/a' };
    expect(adminSiteView(await updateSite(admin, id, updateSiteBody.parse(blog)))).toMatchObject({
      samplePosts: [blog.samplePosts],
    });
  });

  it('refuse contact data of sellers in the rules', () => {
    for (const rules of ['Write to jo@example.com', 'Telegram: @heron_owner', 'Call +44 20 7946 0958'])
      expect(ownSiteBody.safeParse({ ...ownFields, rules }).error?.issues[0]?.path).toEqual(['rules']);
    expect(ownSiteBody.safeParse({ ...ownFields, rules: 'At least 1,000 words. No links to casinos.' }).success).toBe(
      true,
    );
    expect(ownSiteBody.safeParse({ ...ownFields, rules: 'x'.repeat(2_001) }).success).toBe(false);
  });

  it('are imported, and a row with a link to another website or with contact data is skipped', async () => {
    const seller = await makeUser('Seller');
    const result = await send(
      seller,
      [
        'url,price,sample posts,rules',
        'one.example,10,https://one.example/a one.example/b,Two links',
        'two.example,10,https://other.example/a,',
        'three.example,10,,mail me at jo@three.example',
        'four.example,10,,',
      ],
      'seller',
    );
    expect(result).toMatchObject({ inserted: 2, skipped: 2, unknownHeaders: [] });
    expect(result.errors.map(({ row, column }) => [row, column])).toEqual([
      [3, 'sample posts'],
      [4, 'rules'],
    ]);
    const rows = await db().select().from(sites).where(eq(sites.ownerId, seller.userId)).orderBy(asc(sites.id));
    expect(rows.map(({ samplePosts, rules }) => [samplePosts, rules])).toEqual([
      ['https://one.example/a\nhttps://one.example/b', 'Two links'],
      ['', ''],
    ]);
  });
});

const ownFields = { url, name: 'Heron', country: 'USA', niche: 'Travel', price: 713.17 };

describe('typed figures', () => {
  it('follow each change, by the side that made it, and no other change', async () => {
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const { id } = await createOwnSite(seller, own({ dr: 40, traffic: 1_000 }));
    const first = { dr: [40, 'seller', today], traffic: [1_000, 'seller', today] };
    expect(await figuresOf(id)).toEqual(first);
    expect(await stored(id)).toMatchObject({
      version: 1,
      dr: 40,
      figureSources: { dr: { source: 'seller', asOf: today } },
    });

    const rows = await countRows();
    await updateSite(admin, id, updateSiteBody.parse({ ...sale, dr: 40, da: '', rules: 'Two links' }));
    await bulkSites(
      admin,
      bulkSitesInput.parse({ ids: [id], change: { kind: 'reject', reason: 'metrics', note: '' } }),
    );
    expect(await countRows()).toBe(rows);
    await updateSite(admin, id, updateSiteBody.parse({ dr: 41 }));
    expect(await figuresOf(id)).toEqual({ ...first, dr: [41, 'staff', today] });
    expect(await countRows()).toBe(rows + 1);
    // Emptied by staff, the figure is unknown, although the seller has one.
    await updateSite(admin, id, updateSiteBody.parse({ dr: '', traffic: '' }));
    expect(await figuresOf(id)).toEqual({});
    expect(await stored(id)).toMatchObject({ dr: null, traffic: null, figureSources: {} });
  });

  it('of a seller are stored although better ones are shown, and once, without a second review', async () => {
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const { id } = await createOwnSite(seller, own({ url: 'https://kite.example', dr: 40 }));
    await measure('kite.example', 55);
    await updateSite(admin, id, updateSiteBody.parse(sale));
    const save = async (dr: number | null) => {
      const { version } = await stored(id);
      return updateOwnSite(seller, id, version, own({ url: 'https://kite.example', dr }));
    };
    const rows = await countRows();
    // As the form shows it.
    expect(await save(55)).toMatchObject({ status: 'Approved' });
    expect(await countRows()).toBe(rows);
    expect(await save(60)).toMatchObject({ status: 'Pending', dr: 55 });
    expect(await countRows()).toBe(rows + 1);
    await updateSite(admin, id, updateSiteBody.parse(sale));
    const { version } = await stored(id);
    expect(await save(60)).toMatchObject({ status: 'Approved', dr: 55, version });
    expect(await countRows()).toBe(rows + 1);
    expect(await save(null)).toMatchObject({ status: 'Pending', dr: 55 });
    expect(await figuresOf(id)).toEqual({ dr: [55, 'ahrefs', today] });
  });

  it('of staff count for every listing of the domain, also for later ones, and replace an old measured figure', async () => {
    const [seller, other, admin] = [await makeUser('Seller'), await makeUser('Seller'), await makeUser('Admin')];
    const shared = (body = {}) => own({ url: 'https://blog.stork.example', ...body });
    const [{ id }, { id: second }] = [
      await createOwnSite(seller, shared({ dr: 10 })),
      await createOwnSite(other, shared({ dr: 20 })),
    ];
    expect([(await stored(id)).dr, (await stored(second)).dr]).toEqual([10, 20]);
    await updateSite(admin, id, updateSiteBody.parse({ dr: 30 }));
    expect(await stored(second)).toMatchObject({ dr: 30, version: 2 });
    expect((await stored(id)).version).toBe(2);
    await measure('stork.example', 70, '2020-01-01');
    expect((await stored(id)).dr).toBe(30);
    await measure('stork.example', 71);
    const third = await createOwnSite(other, own({ url: 'https://stork.example', dr: 5, traffic: 7 }));
    expect(await figuresOf(third.id)).toEqual({ dr: [71, 'ahrefs', today], traffic: [7, 'seller', today] });
    const rows = [
      'url,price,dr,da',
      'https://stork.example/a,10,1,2',
      'https://www.stork.example/b,10,3,',
      'crane.example,10,4,',
      'https://stork.example/a,10,8,9',
    ];
    for (const [actor, audience] of [
      [seller, 'seller'],
      [admin, 'staff'],
    ] as const) {
      await send(actor, rows, audience);
      const made = await db()
        .select()
        .from(sites)
        .where(and(eq(sites.ownerId, actor.userId), like(sites.url, '%e/_')));
      expect(made.map(({ dr, figureSources }) => [dr, figureSources.dr?.source])).toEqual([
        [71, 'ahrefs'],
        [71, 'ahrefs'],
      ]);
    }
    // Recorded as the file has it, from the first of two rows of a site.
    const imported = await db()
      .select({ metric: domainFigures.metric, value: domainFigures.value })
      .from(domainFigures)
      .innerJoin(sites, eq(sites.id, domainFigures.siteId))
      .where(and(eq(sites.ownerId, seller.userId), like(sites.url, '%e/_')))
      .orderBy(asc(domainFigures.id));
    expect(imported.map(({ metric, value }) => `${metric} ${value}`)).toEqual(['dr 1', 'da 2', 'dr 3']);
    // The figure of staff is for the other listings of the domain as well.
    expect(await figuresOf(third.id)).toMatchObject({ da: [2, 'staff', today] });
    const crane = await db().select().from(sites).where(eq(sites.domain, 'crane.example'));
    expect(crane.map(({ dr, figureSources }) => [dr, figureSources.dr?.source])).toEqual([
      [4, 'staff'],
      [4, 'staff'],
    ]);
  });

  it('emptied by staff are removed from the listing only, and can be typed again', async () => {
    const [seller, other, admin] = [await makeUser('Seller'), await makeUser('Seller'), await makeUser('Admin')];
    const body = (dr: number) => own({ url: 'https://egret.example', dr });
    const [{ id }, second] = [await createOwnSite(seller, body(40)), await createOwnSite(other, body(41))];
    await updateSite(admin, id, updateSiteBody.parse({ dr: null }));
    const third = await createOwnSite(other, own({ url: 'https://egret.example/blog', dr: 42 }));
    const drs = async () => [(await stored(id)).dr, (await stored(second.id)).dr, (await stored(third.id)).dr];
    expect(await drs()).toEqual([null, 41, 42]);
    await updateOwnSite(seller, id, (await stored(id)).version, body(39));
    expect(await drs()).toEqual([39, 41, 42]);
  });

  it('stay with the listing when its URL moves to another domain, and those of the domain do not', async () => {
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const { id } = await createOwnSite(seller, own({ url: 'https://old.example', dr: 10, traffic: 500 }));
    await measure('old.example', 80);
    await measure('new.example', 33);
    await updateSite(admin, id, updateSiteBody.parse({ traffic: 900, spam: 3 }));
    expect(await figuresOf(id)).toMatchObject({ dr: [80, 'ahrefs', today], traffic: [900, 'staff', today] });
    await updateSite(admin, id, updateSiteBody.parse({ url: 'https://new.example', traffic: 900, dr: 80 }));
    expect(await figuresOf(id)).toEqual({ dr: [33, 'ahrefs', today], traffic: [500, 'seller', today] });
    expect(await stored(id)).toMatchObject({ dr: 33, traffic: 500, spam: null, domain: 'new.example' });
  });

  it('are saved by two at once, one after the other, without a deadlock', async () => {
    const [seller, other, admin] = [await makeUser('Seller'), await makeUser('Seller'), await makeUser('Admin')];
    const shared = own({ url: 'https://ibis.example' });
    const ids = [await createOwnSite(seller, shared), await createOwnSite(other, shared)].map(({ id }) => id);
    await Promise.all([
      ...ids.flatMap((id, at) => [1, 2].map((dr) => updateSite(admin, id, updateSiteBody.parse({ dr: dr + at })))),
      ...[1, 2, 3].map((at) => createOwnSite(other, own({ url: `https://ibis.example/${at}` }))),
      measure('ibis.example', 90),
      bulkSites(admin, bulkSitesInput.parse({ ids, change: { kind: 'approve' } })),
    ]);
    const rows = await db().select().from(sites).where(eq(sites.domain, 'ibis.example'));
    expect(rows.map(({ dr }) => dr)).toEqual(rows.map(() => 90));
  });
});

describe('similar sites', () => {
  it('have the same niche and type, a near price and DR, and are on sale, the most similar first', async () => {
    const { userId } = await makeUser('Seller');
    const niche = 'Bees';
    const make = (name: string, priceCents: number, dr: number | null, more = {}) =>
      makeSite(userId, priceCents, { name, niche, dr, ...more });
    const id = await make('itself', 10_000, 50);
    await make('dearer', 11_500, 50);
    await make('near', 10_000, 52);
    await make('cheaper', 8_000, 55);
    await make('far in DR', 10_000, 95);
    await make('far in price', 90_000, 50);
    await make('another niche', 10_000, 50, { niche: 'Wasps' });
    await make('another type', 10_000, 50, { postType: 'Homepage links' });
    await make('pending', 10_000, 50, { status: 'Pending' });
    const found = await findListedSite(id);
    if (!found) throw new Error('The site is not listed.');
    expect(
      (await listSimilarSites(found, { limit: 4, accountId: userId, projectId: undefined })).map(({ name }) => name),
    ).toEqual(['near', 'dearer', 'cheaper']);
    expect(
      (await listSimilarSites(found, { limit: 1, accountId: userId, projectId: undefined })).map(({ name }) => name),
    ).toEqual(['near']);
  });
});
