import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { type FigureMetric, type FigureSource, figureMetrics, figureSources, listingMetrics } from '@/db/enums';
import { domainFigures } from '@/db/schema/domain-figures';
import { settings } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { type FigureClass, figureClasses, figureOrderKey } from '@/lib/sites/domain-figures/figure-classes';
import { figureOrderInput, saveFigureOrder } from '@/lib/sites/domain-figures/figure-order';
import { listFigures } from '@/lib/sites/domain-figures/list';
import { lockDomains, namesOf } from '@/lib/sites/domain-figures/lock-domains';
import { type FigureRow, recordFigures } from '@/lib/sites/domain-figures/record';
import { refreshSiteFigures } from '@/lib/sites/domain-figures/refresh';
import { refreshAllFigures, refreshOldFigures } from '@/lib/sites/domain-figures/refresh-jobs';
import { makeSite, withFacts } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const stored = async (id: number) => {
  const [row] = await db().select().from(sites).where(eq(sites.id, id));
  if (!row) throw new Error('The site was not found.');
  return row;
};

/** Two listings of a domain of its own. */
async function makeListings() {
  const domain = `${newId()}.example.com`;
  const { userId } = await makeUser('Seller');
  const make = (path: string) =>
    makeSite(userId, 1_000, { url: `https://${domain}/${path}`, urlKey: `${domain}/${path}` });
  return { domain, ids: [await make('a'), await make('b')] as const };
}

const setOrder = (order: readonly FigureClass[]) =>
  db()
    .insert(settings)
    .values({ key: figureOrderKey, value: order })
    .onConflictDoUpdate({ target: settings.key, set: { value: order } });

const record = (rows: FigureRow[], domain: string) =>
  db().transaction(async (tx) => {
    const appended = await recordFigures(tx, rows);
    await refreshSiteFigures(tx, [domain]);
    return appended;
  });

type Draw = { metric: FigureMetric; source: FigureSource; value: number | null; age: number; listing: 0 | 1 };
const draw: fc.Arbitrary<Draw> = fc
  .record({
    metric: fc.constantFrom<FigureMetric[]>('dr', 'traffic', 'crux_rank'),
    source: fc.constantFrom(...figureSources),
    value: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null, freq: 4 }),
    age: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 1, 180, 181, 182)),
    listing: fc.constantFrom(0, 1),
  })
  .map((one) => (one.source === 'seller' || one.source === 'staff' ? one : { ...one, value: one.value ?? 7 }));

const classOf = (source: FigureSource): FigureClass =>
  source === 'seller' || source === 'staff' ? source : 'measured';

/** Returns the best of figures in the order of their insertion, by comparing each with each other one. */
function bestOf(all: readonly Draw[], order: readonly FigureClass[]): Draw | undefined {
  const rank = ({ source, age }: Draw) => {
    const own = order.indexOf(classOf(source));
    return classOf(source) === 'measured' && age > 180 ? Math.max(own, order.indexOf('staff')) : own;
  };
  const replaced = (one: Draw, at: number) =>
    all.some(
      (other, later) => other.source === one.source && (other.age < one.age || (other.age === one.age && later > at)),
    );
  const left = all.map((one, at) => ({ one, at })).filter(({ one, at }) => !replaced(one, at) && one.value !== null);
  return left.sort(
    (a, b) =>
      rank(a.one) - rank(b.one) ||
      a.one.age - b.one.age ||
      order.indexOf(classOf(a.one.source)) - order.indexOf(classOf(b.one.source)) ||
      b.at - a.at,
  )[0]?.one;
}

describe('the best figure', () => {
  it('is the one of a plain model, for any figures in any order of insertion, and any order of the sources', async () => {
    const orders = fc.shuffledSubarray([...figureClasses], { minLength: figureClasses.length });
    await fc.assert(
      fc.asyncProperty(fc.array(draw, { maxLength: 14 }), orders, async (draws, order) => {
        await setOrder(order);
        const { domain, ids } = await makeListings();
        for (const { metric, source, value, age, listing } of draws) {
          const siteId = source === 'seller' ? { siteId: ids[listing] } : {};
          await recordFigures(db(), [{ domain, metric, source, value, asOf: dayBefore(age), ...siteId }]);
        }
        await db().transaction((tx) => refreshSiteFigures(tx, [domain]));
        for (const [listing, id] of ids.entries()) {
          const row = await stored(id);
          const best = figureMetrics.flatMap((metric) => {
            const counted = draws.filter(
              (one) => one.metric === metric && (one.source !== 'seller' || one.listing === listing),
            );
            const one = bestOf(counted, order);
            return one ? [{ metric, value: one.value, source: one.source, asOf: dayBefore(one.age) }] : [];
          });
          expect(await listFigures(db(), row)).toEqual(best);
          const fields = best.filter(({ metric }) => listingMetrics.some((name) => name === metric));
          expect(row.figureSources).toEqual(
            Object.fromEntries(fields.map(({ metric, source, asOf }) => [metric, { source, asOf }])),
          );
          expect({ dr: row.dr, traffic: row.traffic }).toEqual({
            dr: best.find(({ metric }) => metric === 'dr')?.value ?? null,
            traffic: best.find(({ metric }) => metric === 'traffic')?.value ?? null,
          });
        }
      }),
      { numRuns: 25 },
    );
    await db().delete(settings).where(eq(settings.key, figureOrderKey));
  });

  it('is one for all listings of the domain, and only of those; the version follows a value', async () => {
    const [{ domain, ids }, other] = [await makeListings(), await makeListings()];
    const measured = { domain, metric: 'dr', value: 61.5, source: 'ahrefs', asOf: dayBefore(3) } as const;
    expect(await record([measured], domain)).toBe(1);
    for (const id of ids) expect(await stored(id)).toMatchObject({ dr: 61.5, isDrMeasured: true, version: 2 });
    expect(await stored(other.ids[0])).toMatchObject({ dr: null, version: 1 });
    // The same again changes nothing, also after newer figures; a newer day of the same value is a newer figure.
    expect(await record([{ ...measured, asOf: dayBefore(1) }], domain)).toBe(1);
    expect(await record([measured], domain)).toBe(0);
    expect(await stored(ids[0])).toMatchObject({ version: 2, figureSources: { dr: { asOf: dayBefore(1) } } });
  });
});

describe('a figure', () => {
  it('is not stored without source, day, a listing of a seller, or a value in range, and never changed', async () => {
    const row = { domain: 'a.example', metric: 'dr', value: 40, source: 'ahrefs', asOf: '2026-01-01' } as const;
    const refused = [
      { ...row, source: sql`null` },
      { ...row, asOf: sql`null` },
      { ...row, value: null },
      { ...row, value: 101 },
      { ...row, value: -1 },
      { ...row, value: Number.NaN },
      { ...row, metric: 'traffic', value: 1.5 },
      { ...row, metric: 'keywords', value: 3_000_000_000 },
      { ...row, source: 'seller' },
      { ...row, siteId: 1 },
    ] as const;
    for (const one of refused) await expect(db().insert(domainFigures).values(one)).rejects.toThrow();
    const { ids } = await makeListings();
    await expect(db().update(sites).set({ dr: 40 }).where(eq(sites.id, ids[0]))).rejects.toMatchObject({
      cause: { constraint_name: 'sites_figures_sourced' },
    });
    await db().insert(domainFigures).values(row);
    for (const change of [db().update(domainFigures).set({ value: 41 }), db().delete(domainFigures)])
      await expect(change).rejects.toMatchObject({ cause: { code: 'LM004' } });
  });
});

describe('the order of the sources', () => {
  it('is saved by staff, and all listings follow in batches; a stale edit is refused', async () => {
    const admin = await makeUser('Admin');
    const { domain, ids } = await makeListings();
    const row = { domain, metric: 'dr', asOf: dayBefore(2) } as const;
    await record(
      [
        { ...row, value: 60, source: 'ahrefs' },
        { ...row, value: 50, source: 'staff' },
      ],
      domain,
    );
    expect((await stored(ids[0])).dr).toBe(60);
    await saveFigureOrder(admin, figureOrderInput.parse({ order: ['staff', 'seller', 'measured'], version: 0 }));
    expect((await refreshAllFigures()).changed).toBeGreaterThanOrEqual(2);
    expect(await stored(ids[0])).toMatchObject({ dr: 50, isDrMeasured: false, version: 3 });
    expect(await refreshAllFigures()).toEqual({ changed: 0 });
    // Also one that is being saved by the former order.
    const url = `https://${domain}/c`;
    const figureSources = { dr: { source: 'staff', asOf: row.asOf } } as const;
    const late = withFacts({ ownerId: admin.userId, name: 'Late', url, urlKey: url, dr: 50, figureSources });
    const refreshed = await db().transaction(async (tx) => {
      await lockDomains(tx, 'shared', namesOf([domain]));
      await tx.insert(sites).values(late);
      await saveFigureOrder(admin, { order: [...figureClasses], version: 1 });
      return [refreshAllFigures()];
    });
    await Promise.all(refreshed);
    const listings = await db().select().from(sites).where(eq(sites.domain, domain));
    expect(listings.map(({ dr }) => dr)).toEqual([60, 60, 60]);
    await expect(saveFigureOrder(admin, { order: [...figureClasses], version: 0 })).rejects.toMatchObject({
      code: 'conflict',
    });
    for (const order of [
      ['staff', 'seller'],
      ['staff', 'staff', 'seller'],
      ['staff', 'seller', 'moon'],
    ])
      expect(figureOrderInput.safeParse({ order, version: 1 }).success).toBe(false);
    await db().delete(settings).where(eq(settings.key, figureOrderKey));
  });

  it('of an old measured figure changes with time: the nightly job shows a newer one of staff', async () => {
    const { domain, ids } = await makeListings();
    const row = { domain, metric: 'dr' } as const;
    // As the listings were before the measured figure became old.
    const ahrefs = { ...row, value: 60, source: 'ahrefs', asOf: dayBefore(181) } as const;
    await record([ahrefs], domain);
    await recordFigures(db(), [{ ...row, value: 50, source: 'staff', asOf: dayBefore(90) }]);
    expect((await stored(ids[0])).dr).toBe(60);
    expect((await refreshOldFigures()).changed).toBeGreaterThanOrEqual(2);
    for (const id of ids)
      expect(await stored(id)).toMatchObject({
        dr: 50,
        figureSources: { dr: { source: 'staff', asOf: dayBefore(90) } },
      });
    expect(await refreshOldFigures()).toEqual({ changed: 0 });
  });
});
