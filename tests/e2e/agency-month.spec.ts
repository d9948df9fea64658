import { readFile } from 'node:fs/promises';
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { asc, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import type { AccountRole } from '@/db/enums';
import { orders } from '@/db/schema/orders';
import { inAccount } from '@/lib/access/account-choice';
import { createAccount } from '@/lib/accounts/create';
import { newId } from '@/lib/ids';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { linkIn, newestMailTo } from '@/tests/setup/mailbox';
import { expectNoViolation } from './expect-no-violation';
import { button, checkbox, expectBalance, expectSeen, file, link } from './find';
import { openCart } from './open-cart';
import { signIn } from './sign-in';
import { expecting, test } from './watched-test';

const openBrowser = async (browser: Browser, options?: BrowserContextOptions): Promise<Page> =>
  (await browser.newContext(options)).newPage();

/** Calls the API as the person of a browser. */
async function post(page: Page, path: string, data: object): Promise<void> {
  const answer = await page.request.post(path, { data, headers: { 'Sec-Fetch-Site': 'same-origin' } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Uploads a sheet of sites with their briefs into the cart on the screen. */
async function importSheet(page: Page, rows: readonly string[], result: string): Promise<void> {
  await button(page, 'Upload CSV').click();
  const dialog = page.getByRole('dialog', { name: 'Upload CSV' });
  const sheet = ['site,target url,anchor,note', ...rows].join('\r\n');
  await dialog.getByLabel('CSV file').setInputFiles(file('Sites.csv', sheet, 'text/csv'));
  await button(dialog, /^Import \d+ sites?$/).click();
  await expect(dialog.getByText(result)).toBeVisible();
  await button(dialog, 'OK').click();
}

/** The names of the PDFs in the ZIP archive of a month. */
const listPdfs = (zip: Buffer): string[] => [
  ...new Set(zip.toString('latin1').match(/(?:INV|CN|RC)-\d{4}-\d{6,9}\.pdf/g)),
];

test('an agency of five with ten clients works a month', {
  ...expecting('404 GET /user/requests/*'),
}, async ({ browser }) => {
  test.setTimeout(240_000);
  const word = `m${newId().slice(-10).toLowerCase()}`;
  const domains = Array.from({ length: 10 }, (_, index) => `client${index}-${word}.example.org`);
  const [owner, seller] = await Promise.all([makeAccount(), makeAccount({ role: 'Seller', name: `Sam ${word}` })]);
  const { id: accountId } = await createAccount(owner, { name: `Agency ${word}` });
  await fundWallet(accountId, 50_000);
  const ids: string[] = [];
  for (const domain of domains)
    ids.push(await makeProject({ ...owner, accountId }, { domain, targetUrl: `https://${domain}/spades` }));
  const [[north = ''], [northId = '', otherId = '']] = [domains, ids];
  const [south = '', southId = ''] = [domains.at(-1), ids.at(-1)];
  for (const [name, cents] of Object.entries({ one: 6_000, two: 7_001, three: 8_054, four: 3_030 })) {
    const site = { name: `${word} ${name}`, url: `https://${name}-${word}.example.com`, dr: 55, traffic: 4_000 };
    await makeSite(seller.userId, cents, { ...site, isFulfilledByStaff: false });
  }
  const desk = await openBrowser(browser);
  await signIn(desk, 'user', owner.email);

  /** Invites a person, who accepts by the link of the mail. */
  async function join(name: string, role: AccountRole, projectIds: string[] | 'all', limit: number | null = null) {
    const [{ email }, page] = await Promise.all([makeAccount({ name }), openBrowser(browser)]);
    const invitation = { email, role, projectIds, monthlyLimitCents: limit };
    await post(desk, `/api/user/accounts/${accountId}/members`, invitation);
    await signIn(page, 'user', email);
    await page.goto(linkIn(await newestMailTo(email)).href);
    await button(page, 'Accept').click();
    await page.waitForURL(/\/user(\/requests)?$/);
    return page;
  }
  const [manager, buyer, colleague, finance, client] = await Promise.all([
    join('Mia', 'manager', 'all'),
    join('Ben', 'buyer', [northId, otherId], 20_000),
    join('Bea', 'buyer', [southId], 10_000),
    join('Finn', 'finance', 'all'),
    join('Cleo', 'client', [otherId]),
  ]);

  await test.step('the owner sets a policy and a budget', async () => {
    await desk.goto(inAccount('/user/people?tab=limits', accountId));
    await desk.getByLabel('Minimum Domain Rating').fill('40');
    await desk.getByLabel('Approval above').fill('100');
    await button(desk, 'Save policy').click();
    await expectSeen(desk, 'Saved');
    await button(desk, `Edit the budget of ${north}`).click();
    await desk.getByRole('dialog').getByLabel('Monthly budget').fill('150');
    await button(desk, 'Save budget').click();
    await expectSeen(desk, `Budget of ${north} saved.`);
  });

  await test.step('a buyer plans the anchors, imports a sheet and orders above the limits', async () => {
    await buyer.goto(`/user/projects/${northId}?tab=anchors`);
    await buyer.getByLabel('Brand words').fill('North Tools');
    await button(buyer, 'Save plan').click();
    await expectSeen(buyer, 'Anchor plan saved.');
    await buyer.goto(`/user/marketplace?q=${word}`);
    await buyer.getByLabel('Project', { exact: true }).selectOption(northId);
    await buyer.waitForURL(`**${northId}*`);
    await checkbox(buyer, `Select ${word} one`).check();
    await openCart(buyer);
    const rows = [
      `one-${word}.example.com,https://${north}/spades,garden spades,Two pictures`,
      `two-${word}.example.com,https://${north}/rakes,the best rakes,`,
      `three-${word}.example.com,,,No prices`,
    ];
    await importSheet(buyer, rows, 'Added 2 sites to the cart.');
    await button(buyer, 'Propose anchors').click();
    await expect(buyer.getByRole('gridcell', { name: 'North Tools' })).toBeVisible();
    const bar = card(buyer, 'Order');
    await expect(bar).toContainText(
      /Your limit of \$200\.00 for \w+ has \$200\.00 left\. The budget of this project of \$150\.00 for \w+ has \$150\.00 left\. Orders above \$100\.00 need an approval\. An owner, a manager or Finance of your account can approve this order\./,
    );
    await expect(bar).not.toContainText('Wallet');
    await expectNoViolation(buyer);
    await button(bar, 'Request approval').click();
    await expect(card(buyer, 'Ordered')).toContainText('The order waits for approval. Nothing was paid yet.');
    await link(buyer, 'View request').click();
    await buyer.waitForURL('**/user/requests/*');
    await expect(buyer.getByRole('heading', { name: `Request for ${north}` })).toContainText('Needs approval');
    await expectSeen(buyer, 'Expires on');
    for (const name of [/^Approve/, 'Create link']) await expect(buyer.getByRole('button', { name })).toHaveCount(0);
  });
  const requestPath = new URL(buyer.url()).pathname;

  const approvalPath = await test.step('a manager creates the link for the client, with own prices', async () => {
    await manager.goto('/user');
    await link(manager, 'Requests 1 open').click();
    await link(manager, '3 items').click();
    await button(manager, 'Create link').click();
    const dialog = manager.getByRole('dialog', { name: 'Link for the client' });
    await dialog.getByLabel('Prices').selectOption('A fixed price a link');
    await dialog.getByLabel('Price a link in USD').fill('250');
    await button(dialog, 'Create link').click();
    const address = await card(manager, 'Link for the client').locator('code').textContent();
    return new URL(address ?? '').pathname;
  });

  await test.step('the client ticks two of three lines on a phone without scripts', async () => {
    const phone = await openBrowser(browser, {
      ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, javaScriptEnabled: false },
    });
    await phone.goto(approvalPath);
    await expectSeen(phone, '$750.00 in total');
    const lines = phone.getByRole('listitem');
    await expect(lines).toHaveCount(3);
    for (const text of ['$250.00', 'Stated by the site', 'Link “North Tools” to'])
      await expect(lines.last()).toContainText(text);
    for (const secret of ['60.00', '70.01', '80.54', seller.name]) expect(await phone.content()).not.toContain(secret);
    for (const choice of await phone.getByText(/^(Approve|Strike)$/).all()) {
      const box = await choice.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    for (const line of [0, 1]) await lines.nth(line).getByText('Approve').click();
    await lines.last().getByText('Strike').click();
    await lines.last().getByRole('textbox').fill('Not for our readers');
    await button(phone, 'Send answer').click();
    await expect(phone.getByRole('status')).toHaveText('Thank you. 2 of 3 links were approved.');
    await expect(phone.getByRole('button')).toHaveCount(0);
  });
  const placed = await db().select().from(orders).where(eq(orders.accountId, accountId)).orderBy(asc(orders.id));
  expect(placed.map(({ chargedCents }) => chargedCents)).toEqual([6_000, 7_001]);

  await test.step('the history says who approved, and another client sees nothing of it', async () => {
    await buyer.goto(requestPath);
    await expect(card(buyer, 'Order')).toContainText('Not for our readers');
    await buyer.goto(`/user/orders?order=${placed[0]?.id}`);
    await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText(
      'The client approved through the link that Mia created',
    );
    await client.goto('/user/requests');
    await expectSeen(client, 'No requests yet');
    await client.goto(requestPath);
    await expectSeen(client, /does not exist/);
    await client.goto('/user/orders');
    await expect(client).toHaveURL(/\/user\/requests$/);
  });

  await test.step('the seller delivers, and the buyer reviews', async () => {
    const shop = await openBrowser(browser);
    await signIn(shop, 'seller', seller.email);
    for (const { id, website } of placed) {
      await post(shop, `/api/seller/orders/${id}/accept`, {});
      await post(shop, `/api/seller/orders/${id}/deliver`, { url: `${website}/garden` });
    }
    await buyer.goto('/user');
    await link(buyer, 'To review (2)').click();
    await button(buyer, 'Select all in order (2)').click();
    await button(buyer, 'Approve selected').click();
    await expectSeen(buyer, '2 deliveries approved.');
  });

  await test.step('the manager reports to the client, who needs no session', async () => {
    await manager.goto(`/user/projects/${northId}?tab=reports`);
    await manager.getByRole('textbox', { name: 'To', exact: true }).fill(new Date().toISOString().slice(0, 10));
    await manager.getByLabel('Name on the report').first().fill('North Agency');
    await button(manager, 'Create report').click();
    const address = (await link(manager, 'Open').getAttribute('href')) ?? '';
    const reader = await openBrowser(browser);
    await reader.goto(address);
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText(`Link report for ${north}`);
    for (const { website } of placed) await expect(link(reader, `${website}/garden`)).toBeVisible();
    await expect(reader.getByText('garden spades')).toBeVisible();
    await expect(reader.getByText(`three-${word}`)).toHaveCount(0);
  });

  await test.step('an order of a colleague within the limits passes directly', async () => {
    await colleague.goto('/user/cart');
    await importSheet(colleague, [`four-${word}.example.com,,spades,`], 'Added 1 site to the cart.');
    await button(colleague, 'Pay $30.30 · 1 site').click();
    await expectSeen(colleague, 'Added to orders successfully.');
  });

  await test.step('the dashboard shows the spending by member and by project', async () => {
    await desk.goto('/user');
    const members = card(desk, 'Spent this month by member').getByRole('listitem');
    await expect(members.filter({ hasText: 'Ben' })).toContainText('$130.01 of $200.00');
    await expect(members.filter({ hasText: 'Bea' })).toContainText('$30.30 of $100.00');
    const projects = card(desk, 'Spent this month by project').getByRole('listitem');
    await expect(projects.filter({ hasText: north })).toContainText('$130.01 of $150.00');
    await expect(projects.filter({ hasText: south })).toContainText('$30.30');
    await expectNoViolation(desk);
  });

  await test.step('Finance downloads the documents of the month, and a buyer only the own', async () => {
    await expect(async () => {
      await finance.goto('/user/billing');
      await expect(finance.getByRole('row')).toHaveCount(5, { timeout: 1_000 });
    }).toPass({ timeout: 30_000 });
    const archive = link(finance, /^All documents \(ZIP\)/);
    const month = (await archive.getAttribute('href')) ?? '';
    const download = finance.waitForEvent('download');
    await archive.click();
    const pdfs = listPdfs(await readFile(await (await download).path()));
    expect(pdfs.map((name) => name.split('-')[0]).sort()).toEqual(['INV', 'INV', 'INV', 'RC']);
    const own = listPdfs(await (await colleague.request.get(month)).body());
    expect(own).toHaveLength(1);
    for (const name of pdfs) {
      const answer = await colleague.request.get(`/api/invoices/${name}`);
      expect(answer.status(), name).toBe(own.includes(name) ? 200 : 404);
    }
    await colleague.goto('/user/wallet');
    await expect(colleague).toHaveURL(/\/user$/);
  });

  await test.step('wallet and books are exact', async () => {
    await desk.goto('/user/wallet');
    await expectBalance(desk, '$339.69');
    expect((await verifyBooks()).checks.filter(({ broken }) => broken > 0)).toEqual([]);
  });
});
