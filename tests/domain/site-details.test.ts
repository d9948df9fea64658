import { Readable } from 'node:stream';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { bulkSites } from '@/lib/sites/bulk';
import { findListedSite, listSimilarSites } from '@/lib/sites/catalogue/listed-sites';
import { listListedSites } from '@/lib/sites/catalogue/respond-with-catalogue';
import { createOwnSite, createSite } from '@/lib/sites/create';
import { createSiteBody, editOwnSiteInput, ownSiteBody, updateSiteBody } from '@/lib/sites/edit-schemas';
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
const figuresOf = async (id: number) => {
  const { figuresUpdatedAt, figuresSource } = await stored(id);
  return { at: figuresUpdatedAt?.getTime() ?? null, source: figuresSource };
};
const ageFigures = async (id: number) => {
  const long = new Date(Date.now() - 86_400_000);
  await db().update(sites).set({ figuresUpdatedAt: long }).where(eq(sites.id, id));
  return long.getTime();
};
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
    expect(seen).toMatchObject({ ...details, usdCents: 99_991, figures: null });
    // Neither under another name: the price and the identity of the seller, and what staff know.
    const text = JSON.stringify(seen);
    for (const secret of ['71317', '713.17', seller.userId, seller.name, seller.email])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/owner|sellerPrice|adminPrice|version|rejection/i);
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

describe('the age and the source of figures', () => {
  it('follow each change of a figure, by the side that made it, and no other change', async () => {
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const before = Date.now();
    const { id } = await createOwnSite(seller, own({ dr: 40, traffic: 1_000 }));
    expect((await figuresOf(id)).at).toBeGreaterThanOrEqual(before);
    expect((await figuresOf(id)).source).toBe('seller');

    const aged = await ageFigures(id);
    await updateSite(admin, id, updateSiteBody.parse({ ...sale, dr: 40, rules: 'Two links' }));
    expect(await figuresOf(id)).toEqual({ at: aged, source: 'seller' });
    await bulkSites(
      admin,
      bulkSitesInput.parse({ ids: [id], change: { kind: 'reject', reason: 'metrics', note: '' } }),
    );
    expect(await figuresOf(id)).toEqual({ at: aged, source: 'seller' });

    await updateSite(admin, id, updateSiteBody.parse({ dr: 41 }));
    const byStaff = await figuresOf(id);
    expect(byStaff.source).toBe('staff');
    expect(byStaff.at).toBeGreaterThan(aged);

    await ageFigures(id);
    const { version } = await stored(id);
    await updateOwnSite(seller, id, version, own({ dr: 42, traffic: 1_000 }));
    expect((await figuresOf(id)).source).toBe('seller');

    await updateSite(admin, id, updateSiteBody.parse({ dr: '', traffic: '' }));
    expect(await figuresOf(id)).toEqual({ at: null, source: null });
  });

  it('of a site without figures are unknown, and shown with the figures otherwise', async () => {
    const admin = await makeUser('Admin');
    const create = (body: Record<string, unknown>) => createSite(admin, createSiteBody.parse({ ...body, ...sale }));
    const bare = await create({ url: 'https://bare.example', name: 'Bare' });
    expect(await figuresOf(bare.id)).toEqual({ at: null, source: null });
    const measured = await create({ url: 'https://measured.example', name: 'Measured', ref_domains: 0 });
    expect(await findListedSite(measured.id)).toMatchObject({ figures: { source: 'staff' } });
  });

  it('are those of the import, by the side that imports', async () => {
    for (const audience of ['staff', 'seller'] as const) {
      const actor = await makeUser(audience === 'staff' ? 'Admin' : 'Seller');
      await send(actor, ['url,price,dr', `${audience}-one.example,10,40`, `${audience}-two.example,10,`], audience);
      const rows = await db().select().from(sites).where(eq(sites.ownerId, actor.userId)).orderBy(asc(sites.id));
      expect(rows.map(({ figuresSource, figuresUpdatedAt }) => [figuresSource, figuresUpdatedAt !== null])).toEqual([
        [audience, true],
        [null, false],
      ]);
    }
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
    expect((await listSimilarSites(found, 4)).map(({ name }) => name)).toEqual(['near', 'dearer', 'cheaper']);
    expect((await listSimilarSites(found, 1)).map(({ name }) => name)).toEqual(['near']);
  });
});
