import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { attachContent } from '@/lib/orders/deliverables/attach';
import { updateOrder } from '@/lib/orders/update';
import { portalPages, publicPages } from '../api/routes';
import { fileOf } from '../factories/file-of';
import { fundWallet } from '../factories/fund-wallet';
import { makeAccount } from '../factories/make-account';
import { makeProject } from '../factories/make-project';
import { makeSite } from '../factories/make-site';
import { spendMoney } from '../factories/spend-money';
import { openClient } from '../setup/http-client';
import { chooseTheme } from './choose-theme';
import { expectNoViolation } from './expect-no-violation';
import { expecting, test } from './watched-test';

/** Pages without a session, at the URLs that links open. */
const signedOutPages = [
  ...publicPages,
  '/confirm-email?token=none',
  '/user/forgot?token=some',
  '/seller/forgot?token=some',
];

/** Users with records on every page, and the ids in its path. */
async function makeUsers() {
  const [buyer, seller, admin] = [
    await makeAccount(),
    await makeAccount({ role: 'Seller' }),
    await makeAccount({ role: 'Admin' }),
  ];
  await fundWallet(buyer.userId, 20_000);
  const projectId = await makeProject(buyer);
  const orderId = await spendMoney(buyer, 4_000);
  await attachContent(admin, orderId, fileOf('pdf'), 'Article.pdf');
  await updateOrder(admin, orderId, { linkUrl: 'https://news.example.com/spades', adminComments: 'It is up.' });
  for (const status of ['Approved', 'Pending', 'Rejected'] as const) {
    await makeSite(seller.userId, 5_000, { status, name: `${status} Post`, dr: 40, traffic: 1_200 });
  }
  const client = openClient();
  await client.signIn('user', buyer.email);
  await client.post('/api/wallet/topup/wechat', { amount: 50 });
  const [waiting] = await db().select().from(topups).where(eq(topups.userId, buyer.userId));
  const cookies = { user: client.cookie(), seller: '', admin: '' };
  for (const [portal, { email }] of [
    ['seller', seller],
    ['admin', admin],
  ] as const) {
    const client = openClient();
    await client.signIn(portal, email);
    cookies[portal] = client.cookie();
  }
  const ids: Record<string, string> = {
    '/user/projects/[id]': projectId,
    '/user/orders/[id]/invoice': String(orderId),
    '/user/wallet/wechat/[id]': waiting?.id ?? '',
    '/dashboard/features/users/[id]': buyer.userId,
  };
  return { cookies, ids };
}

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
        const parts = sources.map(
          (source) => `${describeNode(source.node)} from ${box(source.previousRect)} to ${box(source.currentRect)}`,
        );
        if (!hadRecentInput) shifts.push(`${value.toFixed(4)}: ${parts.join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function expectGoodPage(page: Page, path: string, isMobile: boolean) {
  // Each size starts with another theme; the other theme is checked on the same page.
  await chooseTheme(page, isMobile ? 'dark' : 'light');
  await watchShifts(page);
  const answer = await page.goto(path, { waitUntil: 'networkidle' });
  await expect(page.getByRole('main').first()).toBeVisible();
  expect(await answer?.text()).toMatch(/<head>.*<title>[^<]+<\/title>.*<\/head>/s);
  await page.evaluate(() => document.fonts.ready);
  expect.soft(await page.evaluate(() => Reflect.get(window, 'shifts')), 'parts that moved by themselves').toEqual([]);
  await expectNoViolation(page);
}

for (const path of signedOutPages) {
  test(`${path} has no accessibility, layout or console errors @both`, async ({ page, isMobile }) => {
    await expectGoodPage(page, path, isMobile);
  });
}

for (const [portal, path, ...faults] of [
  ['user', '/user/projects/nothing', '404 GET *'],
  ['user', '/user/orders/999999999/invoice', '404 GET *'],
  ['user', '/user/wallet/wechat/nothing', '404 GET *'],
  ['admin', '/dashboard/features/users/nothing', '404 GET *'],
  // The response has begun by then.
  ['admin', '/dashboard/features/api-reference?operation=nothing'],
] as const) {
  test(
    `an unknown record at ${path} shows the portal's not-found page @both`,
    expecting(...faults),
    async ({ page, isMobile, context, baseURL }) => {
      const [name = '', value = ''] = people.cookies[portal].split('=');
      await context.addCookies([{ name, value, url: baseURL ?? '' }]);
      await expectGoodPage(page, path, isMobile);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText('This page does not exist');
      await expect(page.getByRole('banner')).toBeVisible();
    },
  );
}

test(
  'an unknown page has no accessibility, layout or console errors @both',
  expecting('404 GET /no-such-page'),
  async ({ page, isMobile }) => {
    await expectGoodPage(page, '/no-such-page', isMobile);
  },
);

for (const { path, portal } of portalPages) {
  test(`${path} has no accessibility, layout or console errors @both`, async ({ page, isMobile, context, baseURL }) => {
    const [name = '', value = ''] = people.cookies[portal].split('=');
    await context.addCookies([{ name, value, url: baseURL }]);
    await expectGoodPage(page, path.replace('[id]', people.ids[path] ?? ''), isMobile);
  });
}
