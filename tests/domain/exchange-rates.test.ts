import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { exchangeRates } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { applyExchangeRate, setExchangeRate } from '@/lib/approvals/set-exchange-rate';
import { takeEcbRates } from '@/lib/approvals/take-ecb-rates';
import { convertToUsdCents } from '@/lib/money';
import { listRateIssues, readEcbRates, saveEcbSwitch } from '@/lib/settings/ecb-rates';
import {
  formatRate,
  getExchangeRates,
  listCurrentRates,
  type SetRateInput,
  setRateInput,
} from '@/lib/settings/exchange-rates';
import { findReferenceRate } from '@/lib/settings/reference-rates';
import { getCatalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { updateSiteBody } from '@/lib/sites/edit-schemas';
import { updateSite } from '@/lib/sites/update';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

let admin: Actor;
let ownerId: string;
/** As an approved change, which has no limit. */
const setAnyRate = (rate: SetRateInput) => db().transaction((tx) => applyExchangeRate(tx, admin, rate));

beforeAll(async () => {
  admin = await makeUser('Admin');
  ownerId = (await makeUser('Seller')).userId;
});

const priceOf = async (id: number) =>
  (await db().select().from(sites).where(eq(sites.id, id)))[0]?.publicPriceUsdCents ?? null;
const siteIn = (publicCurrency: 'EUR' | 'GBP', publicPriceCents: number) =>
  makeSite(ownerId, publicPriceCents, { publicCurrency, publicPriceCents });

describe('setting an exchange rate', () => {
  it('updates the prices of sites in that currency, to the cent as orders convert them', async () => {
    const [euro, pound] = [await siteIn('EUR', 10_001), await siteIn('GBP', 10_001)];
    await setExchangeRate(admin, { currency: 'EUR', rate: 1_085_500 });
    expect(await priceOf(euro)).toBe(convertToUsdCents(10_001, 1_085_500));
    expect(await priceOf(pound)).toBe(10_001);
    expect((await getExchangeRates()).get('EUR')).toBe(1_085_500);
  });

  it('unlists sites priced below a cent, and lists them again at a higher rate', async () => {
    const site = await siteIn('GBP', 1);
    await setAnyRate({ currency: 'GBP', rate: 499_999 });
    expect(await priceOf(site)).toBeNull();
    const edit = updateSite(admin, site, updateSiteBody.parse({ publicPrice: 0.02, publicCurrency: 'GBP' }));
    await expect(edit).resolves.toBeDefined();
    expect(await priceOf(site)).toBe(1);
    await expect(updateSite(admin, site, updateSiteBody.parse({ publicPrice: 0.01 }))).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { publicPrice: expect.stringContaining('less than one US cent') } },
    });
    await setAnyRate({ currency: 'GBP', rate: 100_000 });
    expect(await priceOf(site)).toBeNull();
    await setAnyRate({ currency: 'GBP', rate: 250_000 });
    expect(await priceOf(site)).toBe(1);
  });

  it('keeps the earlier rate with its date, and audits who set which', async () => {
    await setExchangeRate(admin, { currency: 'CNY', rate: 139_700 });
    await setExchangeRate(admin, { currency: 'CNY', rate: 140_100 });
    const kept = await db().select().from(exchangeRates).where(eq(exchangeRates.currency, 'CNY'));
    expect(kept.map(({ usdMicrosPerUnit, setBy }) => [usdMicrosPerUnit, setBy])).toEqual([
      [139_700, admin.userId],
      [140_100, admin.userId],
    ]);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.action, 'exchange_rate.set'));
    expect(lines.at(-1)?.details).toBe('1 CNY is now 0.1401 USD, previously 0.1397; 0 sites have a new price in USD.');
  });

  it('changes the catalogue version only where a listed price changed', async () => {
    await siteIn('GBP', 5_000);
    await setAnyRate({ currency: 'GBP', rate: 1_300_000 });
    const before = await getCatalogueVersion();
    await setAnyRate({ currency: 'GBP', rate: 1_300_000 });
    expect(await getCatalogueVersion()).toEqual(before);
    await setAnyRate({ currency: 'GBP', rate: 1_310_000 });
    expect(await getCatalogueVersion()).not.toEqual(before);
  });

  it('concurrent with edits of sites leaves every price at the current rate', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => siteIn('EUR', 10_000)));
    const work = ids.flatMap((id, index) => [
      updateSite(admin, id, updateSiteBody.parse({ publicPrice: 200 + index / 100 })),
      setExchangeRate(admin, { currency: 'EUR', rate: 1_100_000 + index * 1_000 }),
    ]);
    await Promise.all(work);
    const rate = (await getExchangeRates()).get('EUR') ?? 0;
    const prices = await Promise.all(ids.map(priceOf));
    expect(prices).toEqual(ids.map((_, index) => convertToUsdCents(20_000 + index, rate)));
  });
});

it('a rate is parsed to the millionth', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (micros) => {
      expect(setRateInput.parse({ currency: 'EUR', rate: formatRate(micros) }).rate).toBe(micros);
    }),
  );
  for (const rate of ['0', '0.0000001', '-1', '1e3', '1,5', '', 'abc', '1234567'])
    expect(setRateInput.safeParse({ currency: 'EUR', rate }).success).toBe(false);
  expect(setRateInput.safeParse({ currency: 'USD', rate: '1' }).success).toBe(false);
});

describe('the daily rates of the European Central Bank', () => {
  afterEach(() => vi.unstubAllGlobals());
  const answer = (status: number, body: string) => {
    const fetched = vi.fn(async () => new Response(body, { status }));
    vi.stubGlobal('fetch', fetched);
    return fetched;
  };
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const [earlier, yesterday] = [dayAgo(2), dayAgo(1)];
  const fileOf = (day: string, pounds: string) =>
    `<Cube><Cube time='${day}'><Cube currency='USD' rate='1.2'/><Cube currency='GBP' rate='${pounds}'/></Cube></Cube>`;
  const take = (day: string, pounds: string) => {
    answer(200, fileOf(day, pounds));
    return takeEcbRates();
  };
  const inForce = async () => {
    const rates = await listCurrentRates();
    return Object.fromEntries(
      rates.map(({ currency, usdMicrosPerUnit, sourceDay }) => [currency, [usdMicrosPerUnit, sourceDay]]),
    );
  };

  it('are taken once a day, kept apart from entered rates, and held back when they jump, until staff decide', async () => {
    await setAnyRate({ currency: 'EUR', rate: 1_190_000 });
    await setAnyRate({ currency: 'GBP', rate: 1_450_000 });
    const off = answer(200, fileOf(earlier, '0.8'));
    expect(await takeEcbRates()).toEqual({ taken: 0, held: 0, failed: 0 });
    expect(off).not.toHaveBeenCalled();

    await saveEcbSwitch(admin, { isOn: true, version: 0 });
    // Two instances at once.
    const both = await Promise.all([take(earlier, '0.8'), takeEcbRates()]);
    expect(both.map(({ taken }) => taken).sort()).toEqual([0, 2]);
    expect(await inForce()).toMatchObject({ EUR: [1_200_000, earlier], GBP: [1_500_000, earlier] });
    await setAnyRate({ currency: 'GBP', rate: 1_480_000 });
    expect(await take(earlier, '0.8')).toMatchObject({ taken: 0 });
    expect(await inForce()).toMatchObject({ GBP: [1_480_000, null] });

    expect(await take(yesterday, '0.6')).toEqual({ taken: 1, held: 1, failed: 0 });
    expect(await inForce()).toMatchObject({ EUR: [1_200_000, yesterday], GBP: [1_480_000, null] });
    expect((await listRateIssues()).held).toEqual([
      { currency: 'GBP', rate: 2_000_000, inForce: 1_480_000, day: yesterday },
    ]);
    await setAnyRate({ currency: 'GBP', rate: 1_490_000 });
    expect(await listRateIssues()).toMatchObject({ held: [], isEmpty: false });
    // An older file, e.g. of a cache, changes nothing.
    expect(await take(earlier, '0.79')).toMatchObject({ taken: 0, held: 0 });
  });

  it('are stored for documents without a change of prices while the switch is off', async () => {
    const before = await inForce();
    const { version } = await readEcbRates();
    await saveEcbSwitch(admin, { isOn: false, version });
    answer(200, fileOf(yesterday, '0.75'));
    expect(await takeEcbRates(true)).toEqual({ taken: 0, held: 0, failed: 0 });
    expect(await inForce()).toEqual(before);
    const today = dayAgo(0);
    // The rate that was stored first stays; days off have the rate before them, for a week.
    const pounds = { day: yesterday, currency: 'GBP', usdMicrosPerUnit: 2_000_000, unitMicrosPerUsd: 500_000 };
    expect(await findReferenceRate('GBP', today)).toEqual(pounds);
    expect(await findReferenceRate('GBP', dayAgo(-6))).toEqual(pounds);
    expect(await findReferenceRate('GBP', dayAgo(-7))).toBeNull();
    expect(await findReferenceRate('GBP', dayAgo(3))).toBeNull();
    expect(await findReferenceRate('GBP', earlier)).toMatchObject({ usdMicrosPerUnit: 1_500_000 });
    expect(await findReferenceRate('XXX', today)).toBeNull();
    expect(await findReferenceRate('USD', today)).toMatchObject({ usdMicrosPerUnit: 1_000_000 });
    await saveEcbSwitch(admin, { isOn: true, version: version + 1 });
  });

  it('stay as they are when the file cannot be read', async () => {
    const before = await inForce();
    const log = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    for (const [status, body] of [
      [500, ''],
      [200, '<html></html>'],
      [200, fileOf('2099-01-01', '0.8')],
      // A copy of a proxy would count as fresh.
      [200, fileOf('2020-01-02', '0.8')],
      [200, `${fileOf(yesterday, '0.8')}${' '.repeat(100_001)}`],
    ] as const) {
      answer(status, body);
      expect(await takeEcbRates(), body.slice(0, 60)).toMatchObject({ failed: 1 });
    }
    log.mockRestore();
    expect(await inForce()).toEqual(before);
  });

  it('are stale after seven days, like entered ones', async () => {
    await db()
      .update(exchangeRates)
      .set({ effectiveAt: new Date(Date.now() - 8 * 86_400_000) })
      .where(eq(exchangeRates.currency, 'EUR'));
    expect((await listRateIssues()).stale).toEqual(['EUR']);
  });
});
