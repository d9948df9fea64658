import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { exchangeRates } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { createOwnSite, createSite } from '@/lib/sites/create';
import { deleteOwnSite, deleteSite } from '@/lib/sites/delete';
import { createSiteBody, ownSiteBody, updateSiteBody } from '@/lib/sites/edit-schemas';
import { parseSiteUrl, parseTatDays, parseTurnaround } from '@/lib/sites/field-values';
import { getManagedSite, listSiteHistory } from '@/lib/sites/managed-queries';
import { updateOwnSite, updateSite } from '@/lib/sites/update';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const change = (body: Record<string, unknown>) => updateSiteBody.parse(body);
const own = (body: Record<string, unknown> = {}) =>
  ownSiteBody.parse({
    url: 'garden.example.com',
    name: 'Garden',
    country: 'Norway',
    niche: 'Gardening',
    price: 45.5,
    ...body,
  });
const auditOf = (id: number) =>
  db()
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityType, 'site'), eq(auditLogs.entityId, String(id))))
    .orderBy(asc(auditLogs.id));

describe('a site added by staff', () => {
  it('stores every field, with defaults for absent ones', async () => {
    const admin = await makeUser('Admin');
    const seller = await makeUser('Seller');
    const body = {
      url: 'HTTPS://www.Full.example.com/',
      name: 'Full',
      dr: '41.5',
      da: 30,
      as: 12,
      traffic: 1200.4,
      spam: '',
    };
    const site = await createSite(
      admin,
      createSiteBody.parse({
        ...body,
        ...{ keywords: 7, ref_domains: 8, words: 900, language: 'Norwegian', country: 'Norway', niche: 'Gardening' },
        ...{ postType: 'Homepage links', followType: 'NoFollow', price: '12.34', admin_price: 15, publicPrice: 20.005 },
        ...{ public_currency: 'USD', tat: '2 weeks', status: 'Approved', userId: seller.userId },
      }),
    );
    expect(site).toMatchObject({
      ...{ ownerId: seller.userId, url: 'HTTPS://www.Full.example.com/', urlKey: 'full.example.com', dr: 41.5, da: 30 },
      ...{ authorityScore: 12, traffic: 1200, spam: null, keywordsCount: 7, refDomains: 8, words: 900, tatDays: 14 },
      ...{ sellerPriceCents: 1_234, adminPriceCents: 1_500, publicPriceCents: 2_001, publicPriceUsdCents: 2_001 },
      ...{ followType: 'NoFollow', postType: 'Homepage links', status: 'Approved', version: 1 },
    });
    const plain = await createSite(admin, createSiteBody.parse({ url: 'plain.example.com', name: 'Plain' }));
    expect(plain).toMatchObject({
      ...{
        ownerId: admin.userId,
        url: 'https://plain.example.com',
        niche: 'General',
        country: 'USA',
        language: 'English',
      },
      ...{ postType: 'Guest posts', followType: 'DoFollow', tat: '3 Days', tatDays: 3, words: 600, status: 'Pending' },
      ...{ sellerPriceCents: null, publicPriceCents: null, publicPriceUsdCents: null, publicCurrency: 'USD' },
    });
    expect(await auditOf(site.id)).toMatchObject([
      {
        action: 'site.created',
        userId: admin.userId,
        before: null,
        after: { status: 'Approved', publicPriceCents: 2_001 },
      },
    ]);
  });

  it('is unique for all spellings of its URL, per post type and owner', async () => {
    const admin = await makeUser('Admin');
    const add = (url: string, more = {}) => createSite(admin, createSiteBody.parse({ url, name: 'Twice', ...more }));
    const first = await add('https://twice.example.com/blog');
    for (const url of [
      'http://www.twice.example.com/blog/',
      'TWICE.example.com/Blog#top',
      'twice.example.com/blog///',
    ]) {
      await expect(add(url)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('already list'),
        details: { fields: { url: expect.any(String) } },
      });
    }
    await add('twice.example.com/blog', { postType: 'Sitewide links' });
    await add('twice.example.com/blog', { userId: (await makeUser('Seller')).userId });
    await deleteSite(admin, first.id);
    await add('twice.example.com/blog');
  });

  it('requires an existing owner', async () => {
    const admin = await makeUser('Admin');
    const body = createSiteBody.parse({ url: 'unknown.example.com', name: 'x', userId: 'unknown' });
    await expect(createSite(admin, body)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { userId: expect.any(String) } },
    });
  });

  it.each([
    ['url', 'javascript:alert(1)'],
    ['url', 'https://user:pass@example.com'],
    ['url', 'localhost'],
    ['url', ''],
    ['name', '  '],
    ['dr', 101],
    ['spam', -1],
    ['da', 'many'],
    ['traffic', '1e30'],
    ['price', 0],
    ['publicPrice', -3],
    ['publicPrice', 1_000_000.01],
    ['publicCurrency', 'XAU'],
    ['status', 'Gone'],
    ['followType', 'Maybe'],
  ])('rejects %s %j', (field, value) => {
    const parsed = createSiteBody.safeParse({ url: 'a.example.com', name: 'A', [field]: value });
    expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});

describe('an edit', () => {
  it('keeps absent fields, and audits the changed ones', async () => {
    const admin = await makeUser('Admin');
    const id = await makeSite((await makeUser('Seller')).userId, 3_000, { dr: 20, name: 'Before' });
    const after = await updateSite(admin, id, change({ status: 'Rejected', dr: null, tat: '24 hours' }));
    expect(after).toMatchObject({
      name: 'Before',
      status: 'Rejected',
      dr: null,
      tatDays: 1,
      publicPriceCents: 3_000,
      version: 2,
    });
    expect(await auditOf(id)).toMatchObject([
      {
        action: 'site.updated',
        before: { status: 'Approved', dr: 20, tat: '3 Days' },
        after: { status: 'Rejected', dr: null, tat: '1 Day' },
        details: expect.stringContaining('was Approved and is Rejected'),
      },
    ]);
  });

  it('without a change writes nothing', async () => {
    const admin = await makeUser('Admin');
    const id = await makeSite(admin.userId, 3_000);
    expect(await updateSite(admin, id, change({ status: 'Approved', publicPrice: 30 }))).toMatchObject({ version: 1 });
    expect(await auditOf(id)).toEqual([]);
  });

  it('of twenty concurrent ones, one is saved and nineteen are rejected as stale', async () => {
    const admin = await makeUser('Admin');
    const id = await makeSite(admin.userId, 3_000);
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => updateSite(admin, id, change({ version: 1, name: `Name ${index}` }))),
    );
    const refused = tries.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(19);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'conflict', message: expect.stringContaining('another user') });
    expect(await getManagedSite(id)).toMatchObject({ version: 2 });
    expect(await auditOf(id)).toHaveLength(1);
  });

  it('cannot merge two sites', async () => {
    const admin = await makeUser('Admin');
    const id = await makeSite(admin.userId, 3_000);
    const other = await createSite(admin, createSiteBody.parse({ url: 'other.example.com', name: 'Other' }));
    await expect(updateSite(admin, id, change({ url: 'http://WWW.other.example.com/' }))).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(updateSite(admin, other.id, change({ url: 'https://other.example.com/#x' }))).resolves.toMatchObject({
      urlKey: 'other.example.com',
    });
  });

  it('of a deleted or unknown site returns not found', async () => {
    const admin = await makeUser('Admin');
    const id = await makeSite(admin.userId, 3_000);
    await deleteSite(admin, id);
    for (const gone of [id, 2_000_000_000]) {
      await expect(updateSite(admin, gone, change({ name: 'x' }))).rejects.toMatchObject({ code: 'not_found' });
      await expect(deleteSite(admin, gone)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await db().select().from(sites).where(eq(sites.id, id))).toHaveLength(1);
  });
});

describe('the price in USD', () => {
  it('is converted at the current rate, and an edit without a rate is refused', async () => {
    const admin = await makeUser('Admin');
    const id = await makeSite(admin.userId, 10_000);
    await db().delete(exchangeRates).where(eq(exchangeRates.currency, 'GBP'));
    const refused = updateSite(admin, id, change({ publicCurrency: 'GBP', name: 'Pounds' }));
    await expect(refused).rejects.toMatchObject({
      code: 'not_configured',
      details: { fields: { publicCurrency: expect.any(String) } },
    });
    expect(await getManagedSite(id)).toMatchObject({ publicCurrency: 'USD', version: 1 });
    await db()
      .insert(exchangeRates)
      .values({ id: newId(), currency: 'GBP', usdMicrosPerUnit: 1_250_000, effectiveAt: new Date() });
    expect(await updateSite(admin, id, change({ publicCurrency: 'GBP' }))).toMatchObject({
      publicPriceUsdCents: 12_500,
    });
    expect(await updateSite(admin, id, change({ publicPrice: 0.1 }))).toMatchObject({ publicPriceUsdCents: 13 });
    expect(await updateSite(admin, id, change({ publicPrice: '' }))).toMatchObject({
      publicPriceCents: null,
      publicPriceUsdCents: null,
    });
  });
});

describe('a seller', () => {
  it('adds a Pending site, ignoring other input', async () => {
    const seller = await makeUser('Seller');
    const forged = {
      status: 'Approved',
      adminPrice: 1,
      publicPrice: 1,
      admin_price: 1,
      public_price: 1,
      userId: 'x',
      ownerId: 'x',
      publicPriceUsdCents: 1,
    };
    const site = await createOwnSite(seller, own({ ...forged, publicCurrency: 'EUR' }));
    expect(Object.keys(site)).not.toEqual(expect.arrayContaining(['publicPriceCents', 'adminPriceCents']));
    expect(await getManagedSite(site.id)).toMatchObject({
      ...{ ownerId: seller.userId, status: 'Pending', sellerPriceCents: 4_550, publicCurrency: 'USD' },
      ...{ adminPriceCents: null, publicPriceCents: null, publicPriceUsdCents: null },
    });
    await expect(createOwnSite(seller, own({ url: 'https://www.GARDEN.example.com' }))).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('cannot approve: an edit returns the site to review and changes only the seller price', async () => {
    const seller = await makeUser('Seller');
    const id = await makeSite(seller.userId, 3_000, { adminPriceCents: 2_500 });
    const edited = await updateOwnSite(
      seller,
      id,
      1,
      own({ url: `${id}.example.com`, status: 'Approved', publicPrice: 1 }),
    );
    expect(edited).toMatchObject({ status: 'Pending', sellerPriceCents: 4_550 });
    expect(await getManagedSite(id)).toMatchObject({
      adminPriceCents: 2_500,
      publicPriceCents: 3_000,
      status: 'Pending',
      version: 2,
    });
    expect(await auditOf(id)).toMatchObject([{ before: { status: 'Approved' }, after: { status: 'Pending' } }]);
    await updateSite(await makeUser('Admin'), id, change({ status: 'Approved' }));
    expect(await updateOwnSite(seller, id, 3, own({ url: `${id}.example.com` }))).toMatchObject({ status: 'Approved' });
  });

  it('gets a conflict when the review changed the site meanwhile', async () => {
    const seller = await makeUser('Seller');
    const id = await makeSite(seller.userId, 3_000, { status: 'Pending' });
    await updateSite(await makeUser('Admin'), id, change({ status: 'Approved' }));
    await expect(updateOwnSite(seller, id, 1, own({ url: `${id}.example.com` }))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('was changed by another user in the meantime'),
    });
    expect(await getManagedSite(id)).toMatchObject({ status: 'Approved', version: 2 });
  });

  it('can edit only their own sites', async () => {
    const id = await makeSite((await makeUser('Seller')).userId, 3_000);
    const stranger = await makeUser('Seller');
    await expect(updateOwnSite(stranger, id, 1, own())).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteOwnSite(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await getManagedSite(id)).toMatchObject({ version: 1 });
  });

  it.each([
    ['url', ''],
    ['name', ''],
    ['country', ' '],
    ['niche', null],
    ['price', ''],
    ['price', undefined],
  ])('must enter %s', (field, value) => {
    const body = { url: 'a.example.com', name: 'A', country: 'B', niche: 'C', price: 1, [field]: value };
    expect(ownSiteBody.safeParse(body).error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});

describe('the history', () => {
  it('lists status and prices only, newest first', async () => {
    const admin = await makeUser('Admin');
    const { id } = await createSite(admin, createSiteBody.parse({ url: 'history.example.com', name: 'H', price: 10 }));
    await updateSite(admin, id, change({ name: 'Renamed' }));
    await updateSite(admin, id, change({ publicPrice: 15, status: 'Approved' }));
    expect(await listSiteHistory(id)).toMatchObject([
      {
        by: admin.email,
        before: { status: 'Pending', publicPriceCents: null },
        after: { status: 'Approved', publicPriceCents: 1_500 },
      },
      { before: {}, after: { status: 'Pending', sellerPriceCents: 1_000 } },
    ]);
  });

  it('lists who fulfills the orders, which a seller cannot change', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const id = await makeSite(seller.userId, 3_000, { isFulfilledByStaff: false });
    await updateOwnSite(seller, id, 1, own({ isFulfilledByStaff: true, url: 'own.example.com' }));
    expect(await getManagedSite(id)).toMatchObject({ isFulfilledByStaff: false });
    await updateSite(admin, id, change({ isFulfilledByStaff: 'true', version: 2 }));
    expect(await getManagedSite(id)).toMatchObject({ isFulfilledByStaff: true, version: 3 });
    const [newest] = await listSiteHistory(id);
    expect(newest).toMatchObject({
      by: admin.email,
      before: { isFulfilledByStaff: false },
      after: { isFulfilledByStaff: true },
    });
  });
});

it.each([
  ['', { tat: '3 Days', tatDays: 3 }],
  ['1', { tat: '1 Day', tatDays: 1 }],
  ['5', { tat: '5 Days', tatDays: 5 }],
  ['same day', { tat: '1 Day', tatDays: 1 }],
  ['24 hours', { tat: '1 Day', tatDays: 1 }],
  ['900 days', null],
  ['whenever', null],
  ['soon', null],
])('parses the turnaround %j of a form or a file as %j', (text, read) => {
  expect(parseTurnaround(text)).toEqual(read);
  if (read) expect(parseTatDays(read.tat)).toBe(read.tatDays);
  else expect(() => parseTatDays(text)).toThrow(text);
});

it.each([
  ['example.com', 'https://example.com'],
  ['  http://Example.com/A  ', 'http://Example.com/A'],
  ['//cdn.example.com', 'https://cdn.example.com'],
  ['ftp://example.com', null],
  ['data:text/html,x', null],
  ['mailto:a@example.com', null],
  ['a b.com', null],
  ['', null],
  ['localhost', null],
  ['http://127.0.0.1/x', null],
  ['http://[::1]/', null],
  ['a.b', null],
  ['bücher.example', 'https://bücher.example'],
])('normalizes the URL %j to %j', (typed, address) => expect(parseSiteUrl(typed)).toBe(address));
