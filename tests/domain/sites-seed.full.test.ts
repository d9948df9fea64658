import { setTimeout } from 'node:timers/promises';
import { and, asc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { accountRoles } from '@/db/enums';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { legalConsents } from '@/db/schema/legal';
import { linkChecks, linkProofs, linkVerdicts, linkWatches } from '@/db/schema/links';
import { orderRequests } from '@/db/schema/order-requests';
import { orderContents, orders } from '@/db/schema/orders';
import { payouts } from '@/db/schema/payouts';
import { placementStates, placements } from '@/db/schema/placements';
import { sellerStatements } from '@/db/schema/seller-statements';
import { sites } from '@/db/schema/sites';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { users } from '@/db/schema/users';
import { sealAuditLogs } from '@/lib/audit/seal';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import { verifyPassword } from '@/lib/auth/password';
import { getWalletBalance } from '@/lib/ledger/balance';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { checkPage } from '@/lib/links/check-page';
import { listPublishedKeys } from '@/lib/links/passport/keys';
import { parseStatement, verifyProof } from '@/lib/links/passport/verify-proof';
import { createRobotsFiles } from '@/lib/links/robots';
import { convertToUsdCents } from '@/lib/money';
import { approveRefund } from '@/lib/payments/reversals/source-refunds/create';
import { getExchangeRates } from '@/lib/settings/exchange-rates';
import { listListedSites } from '@/lib/sites/catalogue/respond-with-catalogue';
import { refreshAllFigures, requestRefresh } from '@/lib/sites/domain-figures/refresh-jobs';
import { normalizeSiteUrl } from '@/lib/sites/field-values';
import { type RunningGateway, startGateway } from '@/sandbox/start';
import { actorOf } from '@/scripts/seed/actor-of';
import { listDeliveredPages } from '@/scripts/seed/published-pages';
import { seedDemo } from '@/scripts/seed/seed-demo';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { ledgerBalances } from '@/tests/setup/settlement';

let wrote: boolean[] = [];
let gateway: RunningGateway;
const counted = async () => {
  const [row] = await db()
    .select({ sites: db().$count(sites), orders: db().$count(orders), users: db().$count(users) })
    .from(sql`(select 1)`);
  return row;
};

/** What the books expect at a provider, in USD cents. */
const getClearing = async (provider: 'paypal') => -((await ledgerBalances('clearing', provider)).USD ?? 0);

const day = 86_400_000;
const robots = createRobotsFiles({});
/** Checks a page of the publisher, as the job does. */
const checkServed = ({ pageUrl, siteUrl, targetUrl, rel, anchor }: typeof linkWatches.$inferSelect) =>
  checkPage(pageUrl, { siteDomain: siteUrl, targetUrl, rel, anchor }, { robots });

beforeAll(async () => {
  const paypal = { clientId: 'client-of-the-demo', clientSecret: 'secret-of-the-demo', webhookId: 'WEBHOOKOFTHEDEMO' };
  const stripeWebhookSecret = 'whsec_of_the_demo';
  gateway = await startGateway({ port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret, paypal });
  Object.assign(process.env, {
    RESEND_API_KEY: 're_test',
    RESEND_BASE_URL: gateway.url,
    PUBLISHER_BASE_URL: `http://127.0.0.1:${gateway.ports.publisher}`,
    STRIPE_BASE_URL: `http://127.0.0.1:${gateway.ports.stripe}`,
    PAYPAL_BASE_URL: `http://127.0.0.1:${gateway.ports.paypal}`,
    SANDBOX_STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
    SANDBOX_PAYPAL_CLIENT_ID: paypal.clientId,
    SANDBOX_PAYPAL_CLIENT_SECRET: paypal.clientSecret,
    SANDBOX_PAYPAL_WEBHOOK_ID: paypal.webhookId,
  });
  const seeded = Promise.all([seedDemo(), seedDemo(), seedDemo()]);
  // The app starts meanwhile, and its job rolls up a part of the history before it is dated back.
  const countRipened = () => db().$count(sql`ledger.transfers`, sql`kind = 'ripening'`);
  const end = seeded.then(
    () => true,
    () => true,
  );
  while ((await countRipened()) < 20 && !(await Promise.race([end, setTimeout(20)])));
  const { rolledUp } = await rollUpLedger();
  wrote = await seeded;
  expect(rolledUp).toBeGreaterThan(0);
}, 240_000);

afterAll(() => gateway.close());

describe('the demo data', () => {
  it('is written once by concurrent processes', async () => {
    expect(wrote.filter(Boolean)).toHaveLength(1);
    const before = await counted();
    expect(await seedDemo()).toBe(false);
    expect(await counted()).toEqual(before);
    expect(before).toMatchObject({ sites: 1000, users: 19 });
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

  it('has a team of the demo buyer with each role, limits, an approved request and an open one', async () => {
    const [team] = await db().select().from(accounts).where(eq(accounts.kind, 'team'));
    const members = await db()
      .select()
      .from(accountMembers)
      .where(eq(accountMembers.accountId, team?.id ?? ''));
    expect(members.map(({ role }) => role).sort()).toEqual([...accountRoles].sort());
    const limited = members.find(({ role }) => role === 'buyer')?.monthlyLimitCents ?? 0;
    const requests = await db().select().from(orderRequests).orderBy(asc(orderRequests.id));
    expect(requests.map(({ state, checkoutId }) => [state, checkoutId === null])).toEqual([
      ['approved', false],
      ['open', true],
    ]);
    for (const { totalCents, reasons } of requests)
      for (const reason of reasons)
        expect('spentCents' in reason && reason.spentCents + totalCents > limited).toBe(true);
  });

  it('issues the statements of the months that are over', async () => {
    expect(await db().$count(sellerStatements)).toBeGreaterThan(0);
  });

  it('leaves the buyer $500.00, an order in each state of a placement, and sound books', async () => {
    const [buyer] = await db().select().from(users).where(eq(users.email, 'buyer@example.com'));
    expect(await getWalletBalance(buyer?.id ?? '')).toBe(50_000);
    const states = await db()
      .selectDistinct({ state: placements.state })
      .from(placements)
      .innerJoin(orders, eq(orders.id, placements.orderId))
      .where(eq(orders.accountId, buyer?.id ?? ''));
    expect(states.map(({ state }) => state).sort()).toEqual([...placementStates].sort());
    await expectSoundBooks();
  });

  it('has refunds to the payment method in several states, and the sandbox makes the one that waits', async () => {
    const refunds = await db().select().from(sourceRefunds).orderBy(asc(sourceRefunds.createdAt));
    expect(refunds.map(({ state }) => state)).toEqual(['succeeded', 'declined', 'requested']);
    for (const { createdAt } of refunds) expect(createdAt.getTime()).toBeLessThan(Date.now() - day / 2);
    const [admin] = await db().select().from(users).where(eq(users.email, 'admin@example.com'));
    const waiting = refunds.find(({ state }) => state === 'requested');
    if (!admin || !waiting) throw new Error('The demo has no administrator or no request.');
    await approveRefund(actorOf(admin), waiting.id);
    const [made] = await db().select().from(sourceRefunds).where(eq(sourceRefunds.id, waiting.id));
    expect(made?.state).toBe('succeeded');
    // The provider's balance covers what the demo's sellers were paid from it.
    expect(await getClearing('paypal')).toBeGreaterThan(0);
    await expectSoundBooks();
  });

  it('has payouts in several states, of which none waits for a second person', async () => {
    const rows = await db().select().from(payouts);
    const states = new Set(rows.map(({ state }) => state));
    expect([...states].sort()).toEqual(['approved', 'failed', 'paid', 'requested', 'returned']);
    expect(rows.filter(({ firstApprovedBy }) => firstApprovedBy !== null)).toEqual([]);
  });

  it('serves a page for every delivered link as its newest check found it, also after the sandbox lost its state', async () => {
    const delivered = await db().$count(placements, ne(placements.deliveredUrl, ''));
    const pages = await listDeliveredPages();
    expect(pages.length).toBeGreaterThanOrEqual(delivered);
    // The addresses of different orders are different pages.
    expect(new Set(pages.map(({ pageUrl }) => pageUrl)).size).toBe(pages.length);
    const readServed = async (): Promise<unknown> => (await fetch(`${gateway.url}/publisher`)).json();
    const expected = pages.map(({ pageUrl, change = null }) => expect.objectContaining({ url: pageUrl, change }));
    // And the receiver of the demo's webhooks.
    expect(await readServed()).toHaveLength(pages.length + 1);
    expect(await readServed()).toEqual(expect.arrayContaining(expected));
    await fetch(`${process.env.PUBLISHER_BASE_URL}/control/pages`, { method: 'DELETE' });
    await seedDemo();
    expect(await readServed()).toEqual(expect.arrayContaining(expected));
    const watches = await db().select().from(linkWatches).where(isNull(linkWatches.endedAt));
    for (const watch of watches.filter(({ orderId, verdict }) => orderId % 3 === 0 || verdict !== 'ok'))
      expect((await checkServed(watch)).verdict, `order #${watch.orderId}`).toBe(watch.verdict);
  });

  it('checks links on schedule until now, with every verdict, a repair that is due, and passports that are valid', async () => {
    const now = Date.now();
    const watches = await db().select().from(linkWatches);
    const active = watches.filter(({ endedAt }) => endedAt === null);
    for (const { orderId, nextCheckAt } of active)
      expect(nextCheckAt?.getTime(), `order #${orderId}`).toBeGreaterThan(now - 120_000);
    expect(new Set(active.map(({ verdict }) => verdict))).toEqual(new Set(linkVerdicts));
    const repairs = active.flatMap(({ repairDueAt }) => (repairDueAt ? [repairDueAt.getTime() - now] : []));
    expect(repairs).toHaveLength(1);
    expect(repairs[0]).toBeGreaterThan(2 * day);
    expect(active.filter(({ unknownSince }) => unknownSince && now - unknownSince.getTime() > 14 * day)).toHaveLength(
      1,
    );
    const proofs = await db().select().from(linkProofs).innerJoin(linkChecks, eq(linkChecks.id, linkProofs.checkId));
    const keys = await listPublishedKeys();
    expect(proofs.length).toBeGreaterThan(100);
    for (const { link_proofs: proof, link_checks: check } of proofs) {
      const { state } = await verifyProof(
        { ...proof, revokedAt: proof.revokedAt?.toISOString() ?? null },
        keys,
        proof.id,
      );
      expect(state).toBe(proof.revokedAt ? 'revoked' : 'valid');
      expect(parseStatement(proof.statement)?.checkedAt).toBe(check.at.toISOString());
    }
  });

  it('spreads orders, transfers, events and audit entries over seven weeks, in the order of their ids', async () => {
    const now = new Date();
    for (const [table, time, id] of [
      ['orders', 'created_at', 'id'],
      ['ledger.transfers', 'created_at', 'id'],
      ['placement_events', 'at', 'id'],
      ['audit_logs', 'timestamp', 'id'],
    ] as const) {
      const rows = await db().execute<{ at: string }>(
        sql.raw(`select ${time} as at from ${table} where ${time} < now() - interval '12 hours' order by ${id}`),
      );
      const times = rows.map(({ at }) => new Date(at).getTime());
      // Rows of one step differ by milliseconds, in any order.
      const isOrdered = times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0) - 5_000);
      expect(isOrdered, table).toBe(true);
      expect(now.getTime() - (times[0] ?? 0), table).toBeGreaterThan(49 * 86_400_000);
    }
    await sealAuditLogs();
    expect(await verifyAuditChain()).toMatchObject({ isSound: true, waiting: 0 });
  });

  it('tells one story: users join, create projects and order, in this order, and everybody was seen since', async () => {
    const wrong = await db().execute(sql`
      select 'project ' || p.domain as what from projects p join users u on u.id = p.account_id where p.created_at <= u.created_at
      union all
      select 'order #' || o.id from orders o join projects p on p.id = o.project_id where o.created_at <= p.created_at
      union all
      select 'order #' || o.id || ' of package ' || k.name from orders o join packages k on k.id = o.package_id
        where o.created_at <= k.created_at
      union all
      select 'order #' || o.id || ' of ' || s.name from orders o join sites s on s.id = o.site_id where o.created_at <= s.created_at
      union all
      select 'transfer ' || t.id from ledger.transfers t
        join ledger.accounts a on a.kind = 'wallet' and a.id in (t.from_account, t.to_account)
        join users u on u.id = a.owner where t.created_at <= u.created_at
      union all
      select 'last seen ' || u.email from users u where u.last_seen_at is null or u.last_seen_at > now()
        or u.last_seen_at < (select max(o.created_at) from orders o where o.account_id = u.id)`);
    expect([...wrong]).toEqual([]);
  });

  it("spreads a buyer's credits over weeks, before the orders that they pay for", async () => {
    const rows = z.array(z.object({ email: z.string(), weeks: z.coerce.number(), credits: z.coerce.number() })).parse([
      ...(await db().execute(sql`
        select u.email, count(*) as credits, count(distinct date_trunc('week', t.created_at)) as weeks
        from ledger.transfers t join ledger.accounts a on a.id = t.to_account and a.kind = 'wallet'
        join users u on u.id = a.owner where t.kind in ('manual_topup', 'topup') group by u.email`)),
    ]);
    expect(rows).toHaveLength(8);
    const demo = rows.find(({ email }) => email === 'buyer@example.com');
    expect(demo?.weeks).toBeGreaterThanOrEqual(5);
    expect(demo?.credits).toBeGreaterThanOrEqual(6);
  });

  it('delivers every link of a package, in the comment and as a file', async () => {
    const delivered = await db()
      .select({ comments: orders.adminComments, linkUrl: orders.linkUrl, fileName: orderContents.fileName })
      .from(orders)
      .leftJoin(orderContents, eq(orderContents.orderId, orders.id))
      .where(and(ne(orders.packageName, ''), eq(orders.status, 'Completed')));
    expect(delivered).toHaveLength(1);
    for (const { comments, linkUrl, fileName } of delivered) {
      const links = comments.match(/^https:.*$/gm) ?? [];
      expect(new Set(links.map((link) => new URL(link).host)).size).toBe(3);
      expect(links).toContain(linkUrl);
      expect(fileName).toMatch(/links\.csv$/);
      for (const link of links) expect((await listDeliveredPages()).map(({ pageUrl }) => pageUrl)).toContain(link);
    }
  });

  it('publishes terms and a privacy policy, to which everybody but the admin agreed', async () => {
    const agreed = await db().select().from(legalConsents);
    expect(new Set(agreed.map(({ userId }) => userId)).size).toBe(14);
    expect(new Set(agreed.map(({ kind, version }) => `${kind} ${version}`))).toEqual(
      new Set(['terms 1', 'terms 2', 'privacy 1']),
    );
  });

  it('has sites on reserved domains only, each once, but for three that a second seller lists', async () => {
    const all = await db().select().from(sites);
    for (const site of all) {
      expect(site.url).toMatch(/^https:\/\/[a-z0-9-]+\.example\.(com|net|org)$/);
      expect(site.urlKey).toBe(normalizeSiteUrl(site.url));
    }
    expect(new Set(all.map(({ urlKey: key }) => key)).size).toBe(all.length - 3);
  });

  it('has typed and measured figures, of which each site shows the best', async () => {
    const sources = await db().execute(sql`
      select distinct figure ->> 'source' as source from sites, jsonb_each(figure_sources) as f (metric, figure) order by 1`);
    expect(sources.map(({ source }) => source)).toEqual(['ahrefs', 'seller', 'staff']);
    const measured = await db().execute(
      sql`select distinct metric from domain_figures where source not in ('seller', 'staff') order by 1`,
    );
    expect(measured.map(({ metric }) => metric)).toEqual([
      'cc_rank',
      'crux_rank',
      'dr',
      'majestic_rank',
      'ref_subnets',
    ]);
    const shown = sql`select id, dr, figure_sources from sites order by id`;
    const before = [...(await db().execute(shown))];
    await requestRefresh(db());
    expect(await refreshAllFigures()).toEqual({ changed: 0 });
    expect([...(await db().execute(shown))]).toEqual(before);
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

  it('numbers a document for each payment and refund, in the order of the money and of its dates', async () => {
    const issued = z
      .array(z.object({ kind: z.string(), number: z.int(), year: z.int(), late: z.coerce.number() }))
      .parse([
        ...(await db().execute(sql`
          select i.kind, i.number, i.year, extract(epoch from i.issued_at - t.created_at) as late
          from invoices i join ledger.transfers t on t.key = i.movement_key order by i.kind, t.position`)),
      ]);
    const [moved] = z.tuple([z.object({ count: z.int() })]).parse([
      ...(await db().execute(sql`
        select count(*)::int from ledger.transfers where kind in ('order', 'order_refund', 'order_recharge')`)),
    ]);
    expect(issued).toHaveLength(moved.count);
    const series = ({ kind, year }: (typeof issued)[number]) => `${kind} ${year}`;
    for (const name of new Set(issued.map(series))) {
      const numbers = issued.filter((one) => series(one) === name).map(({ number }) => number);
      expect(numbers, name).toEqual(numbers.map((_, index) => index + 1));
    }
    expect(issued.filter(({ late }) => late < 0 || late > 60)).toEqual([]);
  });

  it('explains each rejection, and has approved sites that await a price', async () => {
    const rejected = await db().select().from(sites).where(eq(sites.status, 'Rejected'));
    expect(rejected.length).toBeGreaterThan(10);
    expect(rejected.every(({ rejectionReason }) => rejectionReason !== null)).toBe(true);
    const unpriced = and(eq(sites.status, 'Approved'), isNull(sites.publicPriceCents));
    expect(await db().$count(sites, unpriced)).toBeGreaterThan(5);
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
