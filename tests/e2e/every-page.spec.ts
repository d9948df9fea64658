import { type BrowserContext, expect, type Page } from '@playwright/test';
import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountInvitations } from '@/db/schema/accounts';
import { licenses } from '@/db/schema/licenses';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { settings } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import { topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { hashInvitationToken } from '@/lib/accounts/invitation-token';
import { portals } from '@/lib/auth/portals';
import type { Scope } from '@/lib/developers/webhooks/rights';
import { sendTest } from '@/lib/developers/webhooks/send-now';
import { newId } from '@/lib/ids';
import { resetRollUp } from '@/lib/ledger/roll-up';
import { issueProof } from '@/lib/links/passport/proofs';
import { openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { attachContent } from '@/lib/orders/deliverables/content';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { flagKey } from '@/lib/settings/feature-flags';
import { getPublicSummary } from '@/lib/sites/catalogue/public-summary';
import { markSite } from '@/lib/sites/preferences/preferences';
import { rotatingNinth, rotatingThird } from '@/scripts/testing/tier';
import { portalPages, publicPages } from '@/tests/api/routes';
import { fileOf } from '@/tests/factories/file-of';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeTransferRequest } from '@/tests/factories/make-bank-transfer';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeWebhookEndpoint } from '@/tests/factories/make-webhook-endpoint';
import { openClient } from '@/tests/setup/http-client';
import { chooseTheme } from './choose-theme';
import { expectNothingTooWide, expectNoViolation } from './expect-no-violation';
import { expecting, test } from './watched-test';

/** Pages without a session, at the URLs that links open. */
const signedOutPages = [
  ...publicPages,
  '/confirm-email?token=none',
  '/verify-email?token=some',
  '/user/forgot?token=',
  '/user/forgot?token=some',
  '/seller/forgot?token=some',
];

/**
 * Further states of a page that its URL opens: filters, empty lists, dialogs, each with a text that it shows. Names in
 * braces stand for the records of `makePeople`.
 */
const states: Readonly<Record<string, readonly (readonly [query: string, text?: string])[]>> = {
  '/user/orders': [
    ['?q={none}&status=Pending', 'No matching orders'],
    ['?page=9', 'This page is empty'],
    ['?order={order}', 'Timeline'],
    ['?order=999999999', 'Order not found'],
    ['?new=package&package=999999999', 'The package you chose is no longer on sale.'],
    ['?new=custom&q={mark}&minDr=1', '{mark} Approved'],
    ['?new=custom&q={none}', 'No matching sites'],
    ['?again={order}', 'Order #{order} again'],
    ['?again={offSale}', 'Nothing was ordered.'],
  ],
  '/user/marketplace': [
    ['?q={mark}&minDr=1&maxSpam=many&sort=dr&order=desc', '{mark} Approved'],
    ['?q={mark}&view=cards', '{mark} Approved'],
    ['?q={mark}&show=favourites', '{mark} Approved'],
    ['?q={mark}&show=hidden', '{mark} Hidden'],
    ['?postType=Sitewide+links&show=favourites', 'No favorites of this type yet'],
    ['?q={mark}&minDr=99', 'No matching sites'],
    ['?q={mark}&niche=General&niche=Travel&filters=all', '{mark} Approved'],
    ['?q={mark}&site=2000000000', 'No such site'],
  ],
  '/user/cart': [['?site={listed}', 'Order a site']],
  '/user/projects/[id]': [
    ['?tab=anchors'],
    ['?tab=links', 'Client report'],
    ['?tab=linked', 'No imported links yet'],
    ['?tab=reports', 'New client report'],
  ],
  '/user/people': [['?tab=limits', 'Budgets of projects']],
  '/user/wallet': [
    ['?topup=12.34', 'Add Funds'],
    ['?q={none}', 'No matching transactions'],
  ],
  '/seller/orders': [
    ['?tab=repair', 'returns to the buyer'],
    ['?q={none}', 'No matching orders'],
  ],
  '/seller/my-sites': [
    ['?site={site}', 'Edit {mark} Pending'],
    ['?q={none}', 'No matching sites'],
  ],
  '/dashboard/features/access-control': [['?role=User']],
  '/dashboard/features/backup': [
    ['?restore=01jd0000000000000000000000', 'This backup does not exist, was deleted, or is not complete.'],
  ],
  '/dashboard/features/guest-posts': [
    ['?q={mark}&site={site}', 'Edit {mark} Pending'],
    ['?q={none}', 'No matching sites'],
  ],
  '/dashboard/features/licenses': [
    ['?q={mark}', 'Plug-in {mark}'],
    ['?q={mark}&license={license}', 'Edit Plug-in {mark}'],
  ],
  '/dashboard/features/link-checks': [
    ['?verdict=broken', 'Order #{placed}'],
    ['?verdict=broken&page=99', 'This page is empty'],
  ],
  '/dashboard/features/orders': [
    ['?order={order}', 'Timeline'],
    ['?order=999999999', 'Order not found'],
  ],
  '/dashboard/features/packages': [
    ['?q={mark}', 'Bundle {mark}'],
    ['?q={mark}&package={package}', 'Edit Bundle {mark}'],
  ],
  '/dashboard/features/payments': [
    ['?tab=paypal', '/api/payments/paypal/webhook'],
    ['?tab=wechat', '/api/payments/wechat/webhook'],
  ],
  '/dashboard/features/roles': [['?edit=new']],
  '/dashboard/features/users': [['?q={buyer}', '{buyer}'], ['?user=new']],
  '/dashboard/features/wallet-manager': [
    ['?tab=transactions'],
    ['?tab=review'],
    ['?tab=books'],
    ['?topup=new', 'Manual Top-Up'],
  ],
};
const day = 86_400_000;
const phoneWidth = 390;
const opensDialog = /[?&](order=\d|(new|again|site|package|license|edit|topup|user)=)/;

/** Users with records on every page, and the ids in its path. */
async function makeUsers() {
  const [buyer, seller, admin] = [
    await makeAccount(),
    await makeAccount({ role: 'Seller' }),
    await makeAccount({ role: 'Admin' }),
  ];
  const [mark, projectId] = [`s${newId().slice(-10)}`, await makeProject(buyer)];
  await fundWallet(buyer.userId, 20_000);
  const site = (status: 'Approved' | 'Pending' | 'Rejected', name: string) =>
    makeSite(seller.userId, 2_000, { status, name: `${mark} ${name}`, dr: 40, spam: 3, traffic: 1_200 });
  const [approved, hidden, gone, pending] = [
    await site('Approved', 'Approved'),
    await site('Approved', 'Hidden'),
    await site('Approved', 'Gone'),
    await site('Pending', 'Pending'),
  ];
  await site('Rejected', 'Rejected');
  await markSite(buyer, { siteId: approved, kind: 'favourite', on: true });
  await markSite(buyer, { siteId: hidden, kind: 'hidden', on: true });
  const created = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [approved, gone] });
  const [orderId = 0, offSale = 0] = created.orders.map(({ id }) => id);
  const withoutBudget = await makeProject(buyer, { domain: 'budget.example.com', monthlyBudgetCents: 0 });
  const held = await createOrder(buyer, { kind: 'custom', projectId: withoutBudget, siteIds: [approved] });
  const cart = await openCart(buyer, projectId);
  const items = [approved, gone].map((siteId) => ({ siteId, brief: { anchor: 'spades', words: 'many' } }));
  await saveCartItems(buyer, cart.id, { items, version: cart.version });
  await db().update(sites).set({ status: 'Pending' }).where(eq(sites.id, gone));
  await attachContent(admin, orderId, fileOf('pdf'), 'Article.pdf');
  await updateOrder(admin, orderId, { linkUrl: 'https://news.example.com/spades', adminComments: 'It is up.\nLook.' });
  const check = await makeLinkCheck(orderId);
  const proofId = await db().transaction((tx) => issueProof(tx, check));
  const placed = await makeMissingLink(buyer, seller);
  // A time that becomes "1 minute ago" on the page is wider than "just now".
  const createdAt = new Date(Date.now() - day);
  await db().update(orders).set({ createdAt }).where(eq(orders.accountId, buyer.userId));
  // The job may have added them to the sums of today already.
  await resetRollUp();
  const bundle = { name: `Bundle ${mark}`, priceCents: 1_000, links: 'a,b\n1,2' };
  const [bought] = await db().insert(packages).values(bundle).returning();
  const plugIn = { name: `Plug-in ${mark}`, key: `K-${mark}-${'W'.repeat(100)}` };
  const [license] = await db().insert(licenses).values(plugIn).returning();
  const client = openClient();
  expect(await client.signIn('user', buyer.email)).toMatchObject({ status: 200 });
  await client.post('/api/wallet/topup/wechat', { amount: 50 });
  const [waiting] = await db().select().from(topups).where(eq(topups.accountId, buyer.userId));
  const cookies = { user: client.cookie(), seller: '', admin: '' };
  for (const [portal, { email }] of [
    ['seller', seller],
    ['admin', admin],
  ] as const) {
    const client = openClient();
    expect(await client.signIn(portal, email)).toMatchObject({ status: 200 });
    cookies[portal] = client.cookie();
  }
  await db()
    .insert(settings)
    .values({ key: flagKey('public-catalogue'), value: true })
    .onConflictDoNothing();
  const [niche] = (await getPublicSummary()).niches;
  const ids: Record<string, string> = {
    '/explore/[niche]': niche?.slug ?? '',
    '/user/projects/[id]': projectId,
    '/user/orders/[id]': String(orderId),
    '/user/orders/[id]/invoice': String(orderId),
    '/user/requests/[id]': held.requestId ?? '',
    '/invitations/[token]': await makeInvitation(buyer),
    '/seller/orders/[id]': String(placed),
    '/dashboard/features/orders/[id]': String(placed),
    '/user/wallet/wechat/[id]': waiting?.id ?? '',
    '/user/wallet/bank/[reference]': (await makeTransferRequest(buyer)).reference,
    '/dashboard/features/wallet-manager/[id]': buyer.userId,
    '/dashboard/features/users/[id]': buyer.userId,
    '/proof/[id]': proofId ?? '',
    '/user/webhooks/[id]': await makeEndpoint(buyer, 'own'),
    '/seller/webhooks/[id]': await makeEndpoint(seller, 'own'),
    '/dashboard/features/webhooks/[id]': await makeEndpoint(admin, 'installation'),
  };
  const names: Record<string, string | number | undefined> = {
    ...{ mark, none: newId(), buyer: buyer.email, order: orderId, placed, offSale, site: pending, listed: approved },
    ...{ package: bought?.id, license: license?.id },
  };
  return { cookies, ids, names };
}

/** An invitation to an account. @returns its token */
async function makeInvitation({ accountId, userId: invitedBy }: Actor): Promise<string> {
  const [id, email] = [newId(), `${newId()}@example.com`];
  const expiresAt = new Date(Date.now() + day);
  await db()
    .insert(accountInvitations)
    .values({ id, accountId, email, role: 'buyer', invitedBy, tokenHash: hashInvitationToken(id), expiresAt });
  return id;
}

/** An endpoint with a test that was not delivered. @returns its id */
async function makeEndpoint(actor: Actor, scope: Scope): Promise<string> {
  const url = `https://hooks.example.com/${'long-'.repeat(20)}path`;
  const isInstallation = scope === 'installation';
  const id = await makeWebhookEndpoint(actor, { isInstallation, url, events: ['order.created'] });
  await sendTest(actor, scope, id);
  return id;
}

/** An approved order whose link two checks did not find. @returns its number */
async function makeMissingLink(buyer: Actor, seller: Actor): Promise<number> {
  const { id } = await makePlacement('approved', { buyer, seller });
  const now = Date.now();
  const urls = {
    siteUrl: 'https://blog.example.org',
    pageUrl: `https://blog.example.org/${'long-'.repeat(20)}path`,
    targetUrl: 'https://shop.example.com/',
  };
  await db()
    .update(linkWatches)
    .set({
      ...{ ...urls, verdict: 'broken', checkedAt: new Date(now), startedAt: new Date(now - 9 * day) },
      ...{ notOkSince: new Date(now - 2 * day), brokenSince: new Date(now - 2 * day) },
      ...{ brokenConfirmedAt: new Date(now - day), repairDueAt: new Date(now + 6 * day) },
      // The job does not check it, and a check that it began meanwhile is not recorded.
      ...{ nextCheckAt: null, version: sql`${linkWatches.version} + 1` },
    })
    .where(eq(linkWatches.orderId, id));
  const missing = { verdict: 'broken' as const, found: false, reasons: ['link_missing'] };
  await makeLinkCheck(id);
  await makeLinkCheck(id, { verdict: 'unknown', reasons: ['timeout'] });
  for (let count = 0; count < 2; count += 1) await makeLinkCheck(id, missing);
  return id;
}

type Portal = keyof typeof portals;
type Opened = { page: Page; isMobile: boolean; faults: string[] };

// Each group of pages is as independent as a file.
test.describe.configure({ mode: 'parallel' });

let people: Awaited<ReturnType<typeof makeUsers>>;
test.beforeAll(async () => {
  people = await makeUsers();
});

/** Records the layout shifts of a page: their size and element. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Source = { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] };
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as Shift;
        const box = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
        const describeNode = (node: Node | null) =>
          node instanceof Element ? node.outerHTML.slice(0, 120) : node?.textContent;
        // A text that changes in its place, such as "1 minute ago", is reported as well.
        const hasMoved = sources.some(({ previousRect, currentRect }) => box(previousRect) !== box(currentRect));
        const parts = sources.map(
          (source) => `${describeNode(source.node)} from ${box(source.previousRect)} to ${box(source.currentRect)}`,
        );
        if (!hadRecentInput && hasMoved) shifts.push(`${value.toFixed(4)}: ${parts.join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

type Visit = {
  path: string;
  /** Whether the page needs a session, without which it would show the sign-in page. */
  isPrivate?: boolean;
  text?: string | undefined;
  /** The HTTP status, 200 by default. */
  status?: number;
  /** Further checks and clicks on the page. */
  afterwards?: () => Promise<void>;
};

/** How many pages one test visits: few enough that several tests share the work. */
const visitsPerTest = 16;

function inGroups<Item>(items: readonly Item[]): Item[][] {
  const groups = Math.ceil(items.length / visitsPerTest);
  const size = Math.ceil(items.length / groups);
  return Array.from({ length: groups }, (_, group) => items.slice(group * size, (group + 1) * size));
}

/** Replaces the parameter of a page, and the names in braces, with the records of `makeUsers`. */
function fillIn(pattern: string, words: string): string {
  const { ids, names } = people;
  return words.replace(/\[\w+\]/, ids[pattern] ?? '').replace(/\{(\w+)\}/g, (_, key: string) => String(names[key]));
}

async function openAs(
  { context, baseURL = '' }: { context: BrowserContext; baseURL?: string | undefined },
  portal: Portal,
) {
  const [name = '', value = ''] = people.cookies[portal].split('=');
  await context.addCookies([{ name, value, url: baseURL }]);
}

/**
 * Opens the pages one after the other in one browser page, which keeps the scripts. All pages are visited, and the
 * failures name those with a fault.
 */
async function expectSoundPages({ page, isMobile, faults }: Opened, visits: Visit[]): Promise<void> {
  // The full run repeats the checks on a phone, with another theme.
  await chooseTheme(page, isMobile ? 'dark' : 'light');
  await watchShifts(page);
  for (const visit of visits) {
    const before = faults.length;
    const failure = await test.step(visit.path, () => expectSound(page, visit).then(() => undefined, String));
    const own = faults.slice(before).filter((fault) => !fault.startsWith(`${visit.status ?? 200} `));
    expect.soft(failure ? [failure, ...own] : own, visit.path).toEqual([]);
  }
}

async function expectSound(page: Page, { path, isPrivate = false, text, status = 200, afterwards }: Visit) {
  const answer = await page.goto(path, { waitUntil: 'networkidle' });
  expect(answer?.status()).toBe(status);
  if (isPrivate) expect(new URL(page.url()).pathname).not.toMatch(/\/login$/);
  // Not by its role: a dialog hides the page from assistive technology.
  await expect(page.locator('main').first()).toBeVisible();
  if (opensDialog.test(path) && !path.startsWith('/user/cart')) await expect(page.getByRole('dialog')).toBeVisible();
  if (text) await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  expect(await answer?.text()).toMatch(/<head>.*<title>[^<]+<\/title>.*<\/head>/s);
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => Reflect.get(window, 'shifts')), 'parts that moved by themselves').toEqual([]);
  await expectNoViolation(page);
  // The same page as narrow as a phone. Only the full run opens it on a phone.
  const wide = page.viewportSize();
  if (wide && wide.width > phoneWidth) {
    await page.setViewportSize({ width: phoneWidth, height: wide.height });
    await expectNothingTooWide(page);
    await page.setViewportSize(wide);
  }
  await afterwards?.();
}

// A run visits the third of the pages, and the ninth of their states, that its seed selects; tests/api/guards.test.ts
// requests all pages.
for (const [index, paths] of inGroups(rotatingThird(signedOutPages)).entries()) {
  test(`pages without a session have no accessibility, layout or console errors, ${index + 1} @both-full`, async ({
    page,
    isMobile,
    faults,
  }) => {
    test.setTimeout(300_000);
    await expectSoundPages(
      { page, isMobile, faults },
      paths.map((path) => ({ path: fillIn(path, path) })),
    );
  });
}

for (const portal of ['user', 'seller', 'admin'] as const) {
  const own = portalPages.filter((page) => page.portal === portal);
  const pages = own.map(({ path }) => ({ pattern: path, words: path, text: undefined }));
  const ofPages = own.flatMap(({ path }) =>
    (states[path] ?? []).map(([query, text]) => ({ pattern: path, words: path + query, text })),
  );
  const selected = [...rotatingThird(pages), ...rotatingNinth(ofPages)];
  for (const [index, visits] of inGroups(selected).entries()) {
    test(`${portal} pages and the states in their URLs have no accessibility, layout or console errors, ${index + 1} @both-full`, async ({
      page,
      isMobile,
      faults,
      context,
      baseURL,
    }) => {
      test.setTimeout(300_000);
      await openAs({ context, baseURL }, portal);
      await expectSoundPages(
        { page, isMobile, faults },
        visits.map(({ pattern, words, text }) => ({
          path: fillIn(pattern, words),
          isPrivate: true,
          text: text && fillIn(pattern, text),
        })),
      );
    });
  }
}

const unknownRecords = [
  ['user', '/user/projects/nothing', 'Projects', 404],
  ['user', '/user/orders/999999999', 'Orders', 404],
  ['user', '/user/orders/999999999/invoice', 'Orders', 404],
  ['user', '/user/wallet/wechat/nothing', 'Wallet', 404],
  ['seller', '/seller/orders/999999999', 'Orders', 404],
  ['admin', '/dashboard/features/users/nothing', 'Users', 404],
  // The response has begun by then.
  ['admin', '/dashboard/features/api-reference?operation=nothing', 'API reference', 200],
] as const;

for (const portal of rotatingThird(['user', 'seller', 'admin'] as const)) {
  test(
    `an unknown record shows the not-found page of the ${portal} portal with a way out @both-full`,
    expecting('404 GET *'),
    async ({ page, isMobile, faults, context, baseURL }) => {
      test.setTimeout(120_000);
      await openAs({ context, baseURL }, portal);
      const main = page.getByRole('main');
      const visits = unknownRecords
        .filter(([of]) => of === portal)
        .map(([, path, list, status]) => ({
          path,
          status,
          afterwards: async () => {
            await expect(main.getByRole('heading', { level: 1 })).toHaveText('This page does not exist');
            await expect(page.getByRole('banner')).toBeVisible();
            const home = main.getByRole('link', { name: 'Go to the dashboard' });
            await expect(home).toHaveAttribute('href', portals[portal].home);
            await main.getByRole('link', { name: `Back to ${list}` }).click();
            await page.waitForURL((url) => path.startsWith(url.pathname) && url.search === '');
          },
        }));
      await expectSoundPages({ page, isMobile, faults }, visits);
      if (portal === 'user') return;
      const { home } = portals[portal];
      await page.goto(`${home}/nothing`);
      await page.getByRole('link', { name: 'Go to the dashboard' }).click();
      await page.waitForURL((url) => url.pathname === home);
    },
  );
}

test(
  'an unknown page has no accessibility, layout or console errors @both-full',
  expecting('404 GET /no-such-page'),
  async ({ page, isMobile, faults }) => {
    await expectSoundPages({ page, isMobile, faults }, [{ path: '/no-such-page', status: 404 }]);
  },
);
