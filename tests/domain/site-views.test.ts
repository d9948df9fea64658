import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { siteViewDays, siteViewMarks } from '@/db/schema/site-views';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { removeOldRecords } from '@/lib/jobs/remove-old-records';
import { countSiteView, getSiteViews } from '@/lib/sites/count-view';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const day = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

let seller: Actor;
let siteId: number;
beforeEach(async () => {
  await db().delete(siteViewMarks);
  await db().delete(siteViewDays);
  seller = await makeUser('Seller');
  siteId = await makeSite(seller.userId, 1_000);
});

const count = (site: number, { userId }: Actor, at = new Date()) => countSiteView(site, userId, at);
const stored = () => db().select({ ownerId: siteViewDays.ownerId, views: siteViewDays.views }).from(siteViewDays);

describe('a view of a site', () => {
  it('counts once for a buyer, a site and a day, also when requests arrive at the same time', async () => {
    const [ann, bob] = [await makeUser(), await makeUser()];
    await Promise.all([ann, bob, ann, bob, ann].map((buyer) => count(siteId, buyer)));
    await count(siteId, ann);
    expect(await stored()).toEqual([{ ownerId: seller.userId, views: 2 }]);
    await count(await makeSite(seller.userId, 1_000), ann);
    await count(siteId, ann, daysAgo(1));
    expect((await stored()).map(({ views }) => views).sort()).toEqual([1, 3]);
  });

  it('counts for no site that is not on sale, not for its owner, and not for sellers and staff', async () => {
    const buyer = await makeUser();
    const owned = await makeSite(buyer.userId, 1_000);
    await count(owned, buyer);
    for (const person of [seller, await makeUser('Seller'), await makeUser('Admin')]) await count(siteId, person);
    await count(siteId + 100_000, buyer);
    for (const change of [{ status: 'Rejected' as const }, { publicPriceUsdCents: null }, { deletedAt: new Date() }]) {
      const hidden = await makeSite(seller.userId, 1_000);
      await db().update(sites).set(change).where(eq(sites.id, hidden));
      await count(hidden, buyer);
    }
    expect(await stored()).toEqual([]);
  });

  it('stores neither who looked nor at what, and its mark is deleted when the day is over', async () => {
    const buyer = await makeUser();
    await count(siteId, buyer);
    await count(siteId, buyer, daysAgo(1));
    await count(siteId, buyer, daysAgo(89));
    await count(siteId, buyer, daysAgo(91));
    const marks = await db().select().from(siteViewMarks);
    expect(marks).toHaveLength(4);
    expect(JSON.stringify(marks)).not.toContain(buyer.userId);
    for (const { mark } of marks) expect(mark).toMatch(/^[\w-]{43}$/);
    expect((await removeOldRecords()).siteViews).toBe(4);
    expect((await db().select().from(siteViewMarks)).map((row) => row.day)).toEqual([dayOf(new Date())]);
    expect(await stored()).toHaveLength(3);
  });
});

describe("the views of a seller's sites", () => {
  const record = (ownerId: string, days: number, views: number) =>
    db()
      .insert(siteViewDays)
      .values({ ownerId, day: dayOf(daysAgo(days)), views });

  it('are unknown until views are counted, and start with the day after', async () => {
    expect(await getSiteViews(seller.userId)).toBeNull();
    await count(siteId, await makeUser());
    expect(await getSiteViews(seller.userId)).toBeNull();
    expect(await getSiteViews(seller.userId, new Date(Date.now() + day))).toBe(0);
    expect(await getSiteViews((await makeUser('Seller')).userId, new Date(Date.now() + day))).toBe(0);
  });

  it('are those of the last 30 whole days, in steps of ten, so that one buyer does not show', async () => {
    await record(seller.userId, 0, 500);
    await record(seller.userId, 1, 9);
    await record(seller.userId, 31, 500);
    await record((await makeUser('Seller')).userId, 1, 500);
    expect(await getSiteViews(seller.userId)).toBe(0);
    await record(seller.userId, 30, 1);
    expect(await getSiteViews(seller.userId)).toBe(10);
    await record(seller.userId, 2, 109);
    expect(await getSiteViews(seller.userId)).toBe(110);
  });
});
