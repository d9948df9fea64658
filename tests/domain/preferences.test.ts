import { and, asc, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { blockedDomains } from '@/db/schema/project-domains';
import { siteMarks } from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { buildViewerCondition, getMarketplaceData, type Viewer } from '@/lib/sites/preferences/marketplace';
import { listFavouriteIds, markSite, saveColumns, saveView } from '@/lib/sites/preferences/preferences';
import { maxSiteMarks, normalizeView, saveFilterInput } from '@/lib/sites/preferences/schemas';
import {
  deleteFilter,
  listSavedFilters,
  maxSavedFilters,
  renameFilter,
  saveFilter,
  saveViewInput,
} from '@/lib/users/saved-filters';
import { makeSite, withFacts } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

let ann: Actor;
let bob: Actor;
let seller: Actor;

beforeEach(async () => {
  [ann, bob, seller] = await Promise.all([makeUser(), makeUser(), makeUser('Seller')]);
});

/** Ids of the seller's sites in a user's catalogue. */
async function seen(show: Viewer['show'], viewer: Actor): Promise<number[]> {
  const rows = await db()
    .select({ id: sites.id })
    .from(sites)
    .where(and(isListed, eq(sites.ownerId, seller.userId), buildViewerCondition({ accountId: viewer.userId, show })))
    .orderBy(asc(sites.id));
  return rows.map(({ id }) => id);
}

const getPreferences = async (actor: Actor) => (await getMarketplaceData(actor)).preferences;
const filter = (name: string, query = 'minDr=40', overwrite = false) =>
  saveFilterInput.parse({ name, query, overwrite });
const refused = (status: number) => expect.objectContaining({ name: 'AppError', status });

describe('favourites and hidden sites', () => {
  it("change one user's catalogue only", async () => {
    const ids = [
      await makeSite(seller.userId, 100),
      await makeSite(seller.userId, 200),
      await makeSite(seller.userId, 300),
    ];
    const [first = 0, second = 0, third = 0] = ids;
    await markSite(ann, { siteId: first, kind: 'hidden', on: true });
    await markSite(ann, { siteId: third, kind: 'favourite', on: true });
    expect(await seen('all', ann)).toEqual([second, third]);
    expect(await seen('favourites', ann)).toEqual([third]);
    expect(await seen('hidden', ann)).toEqual([first]);
    expect(await listFavouriteIds(ann.userId, ids)).toEqual(new Set([third]));
    expect(await seen('all', bob)).toEqual(ids);
    expect(await seen('favourites', bob)).toEqual([]);
    expect(await seen('hidden', bob)).toEqual([]);
  });

  it('are idempotent when set and when removed', async () => {
    const siteId = await makeSite(seller.userId, 100);
    for (const on of [true, true]) await markSite(ann, { siteId, kind: 'favourite', on });
    expect(await seen('favourites', ann)).toEqual([siteId]);
    for (const on of [false, false]) await markSite(ann, { siteId, kind: 'favourite', on });
    expect(await seen('favourites', ann)).toEqual([]);
  });

  it('exclude each other: the later change wins', async () => {
    const siteId = await makeSite(seller.userId, 100);
    await markSite(ann, { siteId, kind: 'favourite', on: true });
    await markSite(ann, { siteId, kind: 'hidden', on: true });
    expect(await seen('favourites', ann)).toEqual([]);
    expect(await seen('hidden', ann)).toEqual([siteId]);
    await markSite(ann, { siteId, kind: 'favourite', on: true });
    expect(await seen('hidden', ann)).toEqual([]);
    expect(await seen('all', ann)).toEqual([siteId]);
  });

  it('end in one state after many concurrent changes of both', async () => {
    const siteId = await makeSite(seller.userId, 100);
    await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        markSite(ann, { siteId, kind: turn % 2 ? 'favourite' : 'hidden', on: true }),
      ),
    );
    const marks = await db().select().from(siteMarks).where(eq(siteMarks.siteId, siteId));
    expect(marks).toHaveLength(1);
  });

  it('accept listed sites only; a mark of an unlisted site can be removed', async () => {
    const pending = await makeSite(seller.userId, 100, { status: 'Pending' });
    await expect(markSite(ann, { siteId: pending, kind: 'favourite', on: true })).rejects.toEqual(refused(404));
    await expect(markSite(ann, { siteId: 2_147_483_647, kind: 'hidden', on: true })).rejects.toEqual(refused(404));
    const siteId = await makeSite(seller.userId, 100);
    await markSite(ann, { siteId, kind: 'hidden', on: true });
    await db().update(sites).set({ status: 'Rejected' }).where(eq(sites.id, siteId));
    expect((await getPreferences(ann)).hidden.size).toBe(0);
    await markSite(ann, { siteId, kind: 'hidden', on: false });
    expect(await db().select().from(siteMarks).where(eq(siteMarks.siteId, siteId))).toEqual([]);
  });

  it('are counted by post type, and limited in number', async () => {
    const [guest, home] = [
      await makeSite(seller.userId, 100),
      await makeSite(seller.userId, 100, { postType: 'Homepage links' }),
    ];
    for (const siteId of [guest, home]) await markSite(ann, { siteId, kind: 'favourite', on: true });
    const marks = async () => {
      const { favourites, hidden } = await getPreferences(ann);
      return { favourites: Object.fromEntries(favourites), hidden: Object.fromEntries(hidden) };
    };
    expect(await marks()).toEqual({ favourites: { 'Guest posts': 1, 'Homepage links': 1 }, hidden: {} });
    await db().update(sites).set({ domain: 'blocked.example' }).where(eq(sites.id, home));
    await db().insert(blockedDomains).values({ accountId: ann.userId, domain: 'blocked.example' });
    expect(await marks()).toEqual({ favourites: { 'Guest posts': 1 }, hidden: {} });
    await db().delete(blockedDomains);

    const many = await db()
      .insert(sites)
      .values(
        Array.from({ length: maxSiteMarks - 2 }, () => {
          const host = `${newId()}.example.com`;
          return withFacts({ ownerId: seller.userId, name: host, url: `https://${host}`, urlKey: host });
        }),
      )
      .returning({ siteId: sites.id });
    await db()
      .insert(siteMarks)
      .values(many.map(({ siteId }) => ({ siteId, accountId: ann.userId, kind: 'favourite' as const })));
    const oneMore = await makeSite(seller.userId, 100);
    await expect(markSite(ann, { siteId: oneMore, kind: 'favourite', on: true })).rejects.toEqual(refused(409));
    await markSite(ann, { siteId: guest, kind: 'favourite', on: true });
    await markSite(ann, { siteId: oneMore, kind: 'hidden', on: true });
    expect(await marks()).toEqual({
      favourites: { 'Guest posts': 1, 'Homepage links': 1 },
      hidden: { 'Guest posts': 1 },
    });
  });
});

describe('a saved filter', () => {
  it('stores filter and sort parameters in a fixed order, and nothing else', () => {
    const kept = (query: string) => saveFilterInput.parse({ name: 'x', query, overwrite: false }).query;
    expect(kept('page=3&rows=50&maxPrice=200&minDr=40&q= tech ')).toBe(kept('q=tech&minDr=40&maxPrice=200&cursor=abc'));
    expect(new URLSearchParams(kept('sort=dr&order=desc&show=favourites')).get('show')).toBe('favourites');
    expect(kept('minDr=high&minDa=10&show=hidden&followType=Maybe')).toBe('minDa=10');
    expect(kept('niche=Law&niche=&niche=Pets&niche=Law')).toBe('niche=Law&niche=Pets');
    expect(kept('niche=Pets&niche=Law')).toBe(kept('niche=Law&niche=Pets'));
    expect(kept('projectId=p1&hideLinked=1&blocked=1&minDa=10')).toBe('minDa=10');
    for (const nothing of ['', 'page=2', 'minDr=high', '?=&&%00']) {
      expect(saveFilterInput.safeParse({ name: 'x', query: nothing, overwrite: false }).success).toBe(false);
    }
  });

  it.each([
    ['', false],
    ['   ', false],
    ['x'.repeat(61), false],
    ['x'.repeat(60), true],
    [' a \n b ', true],
    [5, false],
  ])('with the name %j: %s', (name, isRight) => {
    expect(saveFilterInput.safeParse({ name, query: 'minDr=1', overwrite: false }).success).toBe(isRight);
  });

  it('belongs to one user: others can neither see nor delete it', async () => {
    const made = await saveFilter(ann, filter('Tech', 'niche=Technology'));
    expect(made).toMatchObject({ name: 'Tech', query: 'niche=Technology' });
    expect((await getPreferences(bob)).savedFilters).toEqual([]);
    await expect(deleteFilter(bob, made.id)).rejects.toEqual(refused(404));
    expect((await getPreferences(ann)).savedFilters).toEqual([made]);
    await deleteFilter(ann, made.id);
    await expect(deleteFilter(ann, made.id)).rejects.toEqual(refused(404));
    expect((await getPreferences(ann)).savedFilters).toEqual([]);
  });

  it('is overwritten only on request, in any case of its name', async () => {
    const { id } = await saveFilter(ann, filter('High DR'));
    await expect(saveFilter(ann, filter('high dr', 'minDr=70'))).rejects.toEqual(refused(409));
    expect(await saveFilter(ann, filter('high dr', 'minDr=70', true))).toEqual({
      id,
      name: 'high dr',
      query: 'minDr=70',
    });
    expect(await saveFilter(bob, filter('High DR'))).not.toMatchObject({ id });
  });

  it('is stored once when saved concurrently under the same name', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => saveFilter(ann, filter('Same'))));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await getPreferences(ann)).savedFilters).toHaveLength(1);
  });

  it('is limited to 50 per user, also concurrently', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: maxSavedFilters + 5 }, (_, index) => saveFilter(ann, filter(`Filter ${index}`))),
    );
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    const { savedFilters } = await getPreferences(ann);
    expect(savedFilters).toHaveLength(maxSavedFilters);
    await saveFilter(ann, filter(savedFilters[0]?.name ?? '', 'minDa=5', true));
  });
});

describe('a saved view of the admin area', () => {
  const list = '/dashboard/features/orders';
  const view = (name: string, query = 'status=Live', overwrite = false) =>
    saveViewInput.parse({ list, name, query, overwrite });

  it('belongs to its list and user, beside the filters of the marketplace', async () => {
    await saveFilter(ann, filter('Same'));
    const made = await saveFilter(ann, view('Same'));
    await saveFilter(ann, saveViewInput.parse({ ...view('Same'), list: '/dashboard/features/users' }));
    expect(await listSavedFilters(ann.userId, list)).toEqual([made]);
    expect(await listSavedFilters(bob.userId, list)).toEqual([]);
    expect((await getPreferences(ann)).savedFilters).toHaveLength(1);
    await expect(renameFilter(bob, { id: made.id, name: 'Theirs' })).rejects.toEqual(refused(404));
  });

  it('is renamed to a name that is free in its list', async () => {
    const { id } = await saveFilter(ann, view('One'));
    await saveFilter(ann, view('Two'));
    await expect(renameFilter(ann, { id, name: 'TWO' })).rejects.toEqual(refused(409));
    expect(await renameFilter(ann, { id, name: 'ONE' })).toMatchObject({ id, name: 'ONE', query: 'status=Live' });
  });

  it('is of a known list, with a query', () => {
    for (const input of [{ list: 'https://evil.example' }, { list: '/user/orders' }, { query: '' }, { query: '%00' }])
      expect(saveViewInput.safeParse({ ...view('One'), ...input }).success).toBe(false);
    expect(view('One', 'q=a b&x="<>"').query).toBe('q=a+b&x=%22%3C%3E%22');
  });
});

describe('the last view', () => {
  it('has the filters, the order and the project, in a fixed order, and not the place in the list', () => {
    for (const [query, view] of [
      [
        'minDr=40&niche=Pets&niche=Law&page=3&cursor=a&site=5&show=hidden&rows=50&q=tech',
        'niche=Law&niche=Pets&minDr=40',
      ],
      [
        'sort=dr&order=desc&projectId=p1&hideLinked=0&postType=x',
        'postType=x&projectId=p1&hideLinked=0&sort=dr&order=desc',
      ],
      ['sort=price&order=desc', 'sort=price&order=desc'],
      // The view of a new buyer, where it was chosen again.
      ...['sort=price', 'sort=price&order=asc', 'minDr=&niche=', 'minDr=high', 'sort=zzz'].map((query) => [query, '']),
      // No choice.
      ...['', 'q=tech', 'site=5', 'show=favourites', 'page=2&cursor=x', '%00=%00'].map((query) => [query, null]),
    ] as const)
      expect([query, normalizeView(query ?? '')]).toEqual([query, view]);
    expect(
      normalizeView(`niche=${Array.from({ length: 50 }, (_, n) => `${n}${'x'.repeat(97)}`).join('&niche=')}`),
    ).toBeNull();
  });

  it('is stored for one user, beside the columns, which may not be chosen yet', async () => {
    const view = async (user: Actor) => {
      const { columns, query } = await getPreferences(user);
      return { columns, query };
    };
    expect(await view(ann)).toEqual({ columns: null, query: '' });
    await saveView(ann, 'minDr=40');
    expect(await view(ann)).toEqual({ columns: null, query: 'minDr=40' });
    await saveColumns(ann, ['dr']);
    await saveView(ann, '');
    expect(await view(ann)).toEqual({ columns: ['dr'], query: '' });
    await saveColumns(bob, ['niche']);
    expect(await view(bob)).toEqual({ columns: ['niche'], query: '' });
  });
});

describe('selected columns', () => {
  it('keep their order without duplicates, and are null until saved', async () => {
    expect((await getPreferences(ann)).columns).toBeNull();
    await saveColumns(ann, ['niche', 'dr', 'tat']);
    expect((await getPreferences(ann)).columns).toEqual(['niche', 'dr', 'tat']);
    await saveColumns(ann, []);
    expect((await getPreferences(ann)).columns).toEqual([]);
    expect((await getPreferences(bob)).columns).toBeNull();
  });
});
