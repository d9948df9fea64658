import { eq, isNotNull, ne, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { verifyPassword } from '@/lib/auth/password';
import { getWalletBalance } from '@/lib/ledger/balance';
import { convertToUsdCents } from '@/lib/money';
import { getExchangeRates } from '@/lib/settings/rates/exchange-rates';
import { listListedSites } from '@/lib/sites/catalogue/queries';
import { normalizeSiteUrl } from '@/lib/sites/site-url';
import { seedDemo } from '../../scripts/seed/seed-demo';
import { expectSoundBooks } from '../setup/expect-sound-books';

let wrote: boolean[] = [];
const counted = async () => {
  const [row] = await db()
    .select({ sites: db().$count(sites), orders: db().$count(orders), users: db().$count(users) })
    .from(sql`(select 1)`);
  return row;
};

beforeAll(async () => {
  wrote = await Promise.all([seedDemo(), seedDemo(), seedDemo()]);
});

describe('the demo data', () => {
  it('is written once by concurrent processes', async () => {
    expect(wrote.filter(Boolean)).toHaveLength(1);
    const before = await counted();
    expect(await seedDemo()).toBe(false);
    expect(await counted()).toEqual(before);
    expect(before).toMatchObject({ sites: 1000, users: 15 });
  });

  it('has the three demo accounts, and no other account has a known password', async () => {
    const people = await db().select().from(users);
    const known = await Promise.all(
      people.map(
        async ({ email, passwordHash }) => [email, await verifyPassword(passwordHash, 'DemoPassw0rd!')] as const,
      ),
    );
    expect(
      known
        .filter(([, opens]) => opens)
        .map(([email]) => email)
        .sort(),
    ).toEqual(['admin@example.com', 'buyer@example.com', 'seller@example.com']);
  });

  it('leaves the buyer $500.00, orders in several statuses, and sound books', async () => {
    const [buyer] = await db().select().from(users).where(eq(users.email, 'buyer@example.com'));
    expect(await getWalletBalance(buyer?.id ?? '')).toBe(50_000);
    const history = await db()
      .select()
      .from(orders)
      .where(eq(orders.userId, buyer?.id ?? ''));
    expect(new Set(history.map(({ status }) => status)).size).toBeGreaterThanOrEqual(5);
    await expectSoundBooks();
  });

  it('has sites on reserved domains only, each once', async () => {
    const all = await db().select().from(sites);
    for (const site of all) {
      expect(site.url).toMatch(/^https:\/\/[a-z0-9-]+\.example\.(com|net|org)$/);
      expect(site.urlKey).toBe(normalizeSiteUrl(site.url));
    }
    expect(new Set(all.map(({ urlKey: key }) => key)).size).toBe(all.length);
  });

  it('has seller, admin and public prices in ascending order, between 25 and 2,500 USD', async () => {
    const rates = await getExchangeRates();
    const priced = await db().select().from(sites).where(isNotNull(sites.publicPriceCents));
    expect(priced.length).toBeGreaterThan(800);
    for (const site of priced) {
      const publicCents = site.publicPriceCents ?? 0;
      expect(site.sellerPriceCents).toBeLessThan(site.adminPriceCents ?? 0);
      expect(site.adminPriceCents).toBeLessThan(publicCents);
      expect(site.publicPriceUsdCents).toBe(convertToUsdCents(publicCents, rates.get(site.publicCurrency) ?? 0));
      expect(site.publicPriceUsdCents).toBeGreaterThanOrEqual(2_500);
      expect(site.publicPriceUsdCents).toBeLessThanOrEqual(250_000);
    }
  });

  it('lists approved sites in every tab, and leaves the others without a public price', async () => {
    for (const postType of ['Guest posts', 'Homepage links', 'Innerpage links', 'Sitewide links']) {
      expect((await listListedSites({ postType, limit: 1 })).total).toBeGreaterThan(40);
    }
    const waiting = await db().select().from(sites).where(ne(sites.status, 'Approved'));
    expect(waiting.length).toBeGreaterThan(50);
    expect(waiting.every(({ publicPriceCents }) => publicPriceCents === null)).toBe(true);
  });
});
