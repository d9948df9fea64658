import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { countCartSites } from '@/lib/orders/carts/queries';
import { createOrder } from '@/lib/orders/order/create';
import { listOrders } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectNoViolation } from './expect-no-violation';
import { payButton } from './pay-button';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

/** Every site and package of a test has this word in its name. */
let word: string;
let buyer: Actor;
let seller: Actor;

test.beforeEach(async () => {
  word = `o${newId().slice(-10)}`;
  [buyer, seller] = await Promise.all([makeAccount(), makeUser('Seller')]);
});

// Leaves the other tests' catalogue unchanged.
test.afterEach(async () => {
  await db()
    .update(packages)
    .set({ deletedAt: new Date() })
    .where(eq(packages.name, `${word} bundle`));
});

const site = (name: string, priceCents: number) =>
  makeSite(seller.userId, priceCents, { name: `${word} ${name}`, url: `https://${name}.${word}.example.com` });
async function bundle(priceCents: number): Promise<number> {
  const values = { name: `${word} bundle`, description: 'Three guest posts.', priceCents };
  const [made] = await db().insert(packages).values(values).returning();
  return made?.id ?? 0;
}
const rows = (page: Page) => page.getByRole('table', { name: 'My orders' }).locator('tbody tr');
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const ownOrders = async () => (await listOrders(buyer, { limit: 100 })).rows;

test('New Order orders a package in a quantity for a project, paid from the wallet', async ({ page }) => {
  await bundle(2_500);
  await Promise.all([makeProject(buyer), makeProject(buyer, { domain: 'blog.example.net' })]);
  await fundWallet(buyer.userId, 20_000);
  await signInAs(page, 'user', buyer.email, '/user/orders');
  const opener = page.getByRole('button', { name: 'New Order' });
  await opener.click();
  await expect(page).toHaveURL(/new=package/);
  const dialog = dialogOf(page, 'New Order');
  await expect(dialog.getByRole('radio').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  await opener.click();
  await dialog.getByRole('button', { name: payButton }).click();
  await expect(dialog.getByText('Choose a package.')).toBeVisible();
  await expect(dialog.getByText('Select a project.')).toBeVisible();
  await expect(dialog.getByRole('radio').first()).toBeFocused();
  const choice = dialog.getByRole('radio', { name: `${word} bundle` });
  await choice.check();
  await expect(dialog.getByText('Three guest posts.')).toBeVisible();
  await expect(dialog).toContainText(`1 × ${word} bundle · $25.00 of $200.00 in your wallet`);
  const quantity = dialog.getByLabel('Quantity');
  await quantity.fill('');
  await quantity.blur();
  await expect(quantity).toHaveValue('1');
  await quantity.fill('0');
  await expect(dialog.getByText('Order at least one.')).toBeVisible();
  await quantity.fill('9');
  await expect(dialog).toContainText('$225.00 of $200.00 in your wallet');
  await expect(dialog).toContainText('$25.00 more needed');
  await quantity.fill('3');
  await dialog.getByLabel('Project').selectOption({ label: 'blog.example.net' });

  await page.route('**/api/orders', (route) => route.fulfill({ status: 404, body: '' }));
  await dialog.getByRole('button', { name: payButton }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Orders endpoint not found at /api/orders.');
  await page.unroute('**/api/orders');
  await page.route('**/api/orders', (route) => route.fulfill({ status: 400, body: '' }));
  await dialog.getByRole('button', { name: payButton }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to create order');
  await page.unroute('**/api/orders');
  await dialog.getByRole('button', { name: payButton }).click();
  await expect(page.getByText('Order placed.')).toBeVisible();
  await expect(page).toHaveURL(/\/user\/orders$/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Package × 3');
  await expect(rows(page).getByRole('link').first()).toBeFocused();
  await expect(page.getByRole('link', { name: 'Wallet balance' })).toContainText('$125.00');
  expect(await getWalletBalance(buyer.userId)).toBe(12_500);
});

test("Build Custom collects sites by the marketplace's filters, with a running total, for the cart", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await Promise.all([site('one', 1_000), site('two', 2_000), site('three', 3_000)]);
  await makeProject(buyer);
  await fundWallet(buyer.userId, 10_000);
  await signInAs(page, 'user', buyer.email, '/user/orders');
  await page.getByRole('button', { name: 'Build Custom' }).click();
  const dialog = dialogOf(page, 'Build Custom');
  await dialog.getByRole('button', { name: 'Checkout' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('No site selected.');
  await dialog.getByLabel('Search sites').fill(word);
  await expect(page).toHaveURL(new RegExp(`new=custom.*q=${word}`));
  const found = dialog.getByRole('table', { name: 'Sites' }).locator('tbody tr');
  await expect(found).toHaveCount(3);
  await dialog.getByLabel(`Select ${word} one`).check();
  await dialog.getByLabel(`Select ${word} three`).check();
  await expect(dialog).toContainText('2 sites · $40.00 of $100.00 in your wallet');
  await dialog.getByRole('columnheader', { name: 'Price' }).getByRole('link').click();
  await expect(found.first()).toContainText(`${word} three`);
  // The cart survives a reload, and the filters are in the URL.
  await expect.poll(() => countCartSites(buyer)).toBe(2);
  await page.reload();
  await expect(dialog).toContainText('2 sites · $40.00');
  await expect(found).toHaveCount(3);
  await dialog.getByRole('link', { name: 'Checkout' }).click();
  await page.waitForURL('**/user/cart?*');
  await expect(page.getByRole('button', { name: 'Pay $40.00 · 2 sites' })).toBeVisible();
});

test("the list's filters are in the URL, and Live is shown as Completed", async ({ page }) => {
  const projects = await Promise.all([makeProject(buyer), makeProject(buyer, { domain: 'blog.example.net' })]);
  await fundWallet(buyer.userId, 10_000);
  const ids = await Promise.all(
    ['one', 'two'].map(async (name, index) => {
      const siteIds = [await site(name, 1_000)];
      const { orders } = await createOrder(buyer, { kind: 'custom', projectId: projects[index] ?? '', siteIds });
      return orders[0]?.id ?? 0;
    }),
  );
  await updateOrder(await makeUser('Admin'), ids[0] ?? 0, { linkUrl: 'https://live.example.com/post' });
  await signInAs(page, 'user', buyer.email, '/user/orders');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('main').getByLabel('Status').selectOption('Completed');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('live.example.com/post');
  await expect(page).toHaveURL(/status=Completed/);
  await page.getByRole('main').getByLabel('Project', { exact: true }).selectOption({ label: 'blog.example.net' });
  await expect(page.getByText('No matching orders')).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(1);
  await rows(page)
    .getByRole('link', { name: /^Details of order/ })
    .click();
  const dialog = dialogOf(page, `Order #${ids[0]}`);
  await expect(dialog).toContainText('Status changed from Pending to Completed');
  await expect(dialog.getByRole('link', { name: 'Invoice' })).toHaveAttribute('href', new RegExp(`invoice=${ids[0]}`));
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/status=Completed$/);
  await rows(page)
    .getByRole('link', { name: /^Invoice of order/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`invoice=${ids[0]}`));
  await page.goto(`/user/orders?q=%23${ids[1]}`);
  await expect(rows(page)).toHaveCount(1);
  await page.goto('/user/orders?page=9');
  await page.getByRole('link', { name: 'Go to the last page' }).click();
  await expect(rows(page)).toHaveCount(2);
});

test(
  'Order again shows the current price before confirmation, and refuses an unlisted site',
  expecting('409 POST /api/orders'),
  async ({ page }) => {
    const projectId = await makeProject(buyer);
    await fundWallet(buyer.userId, 10_000);
    const siteId = await site('one', 1_000);
    const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    const id = orders[0]?.id ?? 0;
    const price = (cents: number) =>
      db().update(sites).set({ publicPriceCents: cents, publicPriceUsdCents: cents }).where(eq(sites.id, siteId));
    await price(1_400);
    await signInAs(page, 'user', buyer.email, `/user/orders?order=${id}`);
    await dialogOf(page, `Order #${id}`).getByRole('link', { name: 'Order again' }).click();
    const dialog = dialogOf(page, `Order #${id} again`);
    await expect(dialog).toContainText('$10.00 last time');
    await expect(dialog).toContainText('Total today$14.00');
    // It rises again while the dialog is open: the displayed price is the maximum charged.
    await price(1_900);
    await dialog.getByRole('button', { name: payButton }).click();
    await expect(dialog.getByRole('alert')).toContainText('$19.00, not $14.00');
    await expect(dialog).toContainText('Total today$19.00');
    expect(await ownOrders()).toHaveLength(1);
    await dialog.getByRole('button', { name: payButton }).click();
    await expect(page.getByText('Order placed.')).toBeVisible();
    await expect(rows(page)).toHaveCount(2);
    expect(await getWalletBalance(buyer.userId)).toBe(10_000 - 1_000 - 1_900);

    await db().update(sites).set({ status: 'Pending' }).where(eq(sites.id, siteId));
    await page.goto(`/user/orders?again=${id}`);
    await expect(dialog.getByText(/no longer on sale\. Nothing was ordered\./)).toBeVisible();
    await expect(dialog.getByRole('button', { name: payButton })).toBeHidden();
    await page.goto('/user/orders?again=999999999');
    await expect(page.getByRole('dialog')).toContainText('This order doesn’t exist or is no longer in your list.');
  },
);

test('axe finds no violation in the steps of a new order @both @full', async ({ page }) => {
  test.setTimeout(180_000);
  await Promise.all([bundle(2_500), site('one', 2_400), makeProject(buyer), fundWallet(buyer.userId, 5_000)]);
  await signInAs(page, 'user', buyer.email, '/user/orders?new=package&quantity=0');
  const newOrder = dialogOf(page, 'New Order');
  await newOrder.getByRole('button', { name: payButton }).click();
  await expect(newOrder.getByText('Choose a package.')).toBeVisible();
  await expectNoViolation(page);

  await page.goto('/user/orders?new=package&quantity=50');
  await newOrder.getByRole('radio', { name: `${word} bundle` }).check();
  await expectNoViolation(page);

  await page.goto(`/user/orders?new=custom&q=${word}`);
  const custom = dialogOf(page, 'Build Custom');
  await custom.getByLabel(`Select ${word} one`).check();
  await expect(custom.getByRole('link', { name: 'Checkout' })).toBeVisible();
  await expectNoViolation(page);
});
