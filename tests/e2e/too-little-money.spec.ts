import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { createOrder } from '@/lib/orders/order/create';
import { listOrders } from '@/lib/orders/order/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { payButton } from './pay-button';
import { signIn } from './sign-in';
import { expecting, test } from './watched-test';

let word: string;
let buyer: Actor;
let projectId: string;

test.beforeEach(async ({ page }) => {
  test.setTimeout(120_000);
  word = `t${newId().slice(-10)}`;
  buyer = await makeAccount();
  await makeProject(buyer, { domain: 'first.example.com' });
  projectId = await makeProject(buyer, { domain: 'second.example.com' });
  await fundWallet(buyer.userId, 1_000);
  await signIn(page, 'user', buyer.email);
});

const site = async (name: string, priceCents: number) =>
  makeSite((await makeUser('Seller')).userId, priceCents, { name: `${word} ${name}` });

/** The wallet requests exactly the missing amount; after the payment the browser returns automatically. */
async function topUp(page: Page, missing: string, method: 'stripe' | 'paypal'): Promise<void> {
  await page.waitForURL('**/user/wallet?topup=*');
  const dialog = page.getByRole('dialog', { name: 'Add Funds' });
  await expect(dialog.getByLabel('Amount')).toHaveValue(missing);
  await expect(dialog).toContainText('You’ll return to it once the payment is confirmed.');
  await dialog.getByLabel('Payment method').selectOption(method);
  await dialog.getByRole('button', { name: 'Add Funds' }).click();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByText(`$${missing} was added to your wallet.`).first()).toBeVisible({ timeout: 30_000 });
}
async function expectOrders(page: Page, count: number): Promise<void> {
  await expect(page.getByText(/^(Order placed|Added to orders successfully)\.$/)).toBeVisible();
  const { rows, total } = await listOrders(buyer, { limit: 100 });
  expect(total).toBe(count);
  expect(rows.every((row) => row.projectId === projectId)).toBe(true);
  expect(await getWalletBalance(buyer.userId)).toBe(0);
}

test(
  'a package order returns with its package, quantity and project after the top-up @full',
  expecting('402 POST /api/orders'),
  async ({ page }) => {
    const values = { name: `${word} bundle`, priceCents: 2_000 };
    const [bundle] = await db().insert(packages).values(values).returning();
    await page.goto('/user/orders?new=package');
    const dialog = page.getByRole('dialog', { name: 'New Order' });
    await dialog.getByRole('radio', { name: `${word} bundle` }).check();
    await dialog.getByLabel('Quantity').fill('2');
    await dialog.getByLabel('Project').selectOption({ label: 'second.example.com' });
    await dialog.getByRole('button', { name: payButton }).click();
    await topUp(page, '30.00', 'stripe');
    await expect(dialog.getByRole('radio', { name: `${word} bundle` })).toBeChecked();
    await expect(dialog.getByLabel('Quantity')).toHaveValue('2');
    await expect(dialog.getByLabel('Project')).toHaveValue(projectId);
    await expect(dialog).toContainText('$40.00 of $40.00 in your wallet');
    await dialog.getByRole('button', { name: payButton }).click();
    await expectOrders(page, 1);
    await db()
      .update(packages)
      .set({ deletedAt: new Date() })
      .where(eq(packages.id, bundle?.id ?? 0));
  },
);

test(
  'a cart returns with its sites, briefs and project after the top-up, also in another browser tab',
  expecting('402 POST /api/user/carts/*/order'),
  async ({ page }) => {
    const siteIds = await Promise.all([site('one', 1_500), site('two', 2_500)]);
    const { id, version } = await openCart(buyer, null);
    const items = siteIds.map((siteId) => ({ siteId, brief: { anchor: 'spades' } }));
    await saveCartItems(buyer, id, { items, version });
    await page.goto(`/user/cart?cart=${id}`);
    const main = page.getByRole('main');
    await main.getByLabel('Project').selectOption({ label: 'second.example.com' });
    await main.getByRole('button', { name: payButton }).click();
    await page.waitForURL('**/user/wallet?topup=*');
    // As another tab, or the browser that a payment app opens.
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await topUp(page, '30.00', 'paypal');
    await expect(main.getByRole('gridcell', { name: 'spades', exact: true })).toHaveCount(3);
    await expect(main.getByLabel('Project')).toHaveValue(projectId);
    await main.getByRole('button', { name: payButton }).click();
    await expectOrders(page, 2);
  },
);

test('order again returns after a cancelled payment too @full', expecting('402 POST /api/orders'), async ({ page }) => {
  const siteId = await site('one', 1_000);
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  await page.goto(`/user/orders?again=${orders[0]?.id}`);
  const dialog = page.getByRole('dialog', { name: /again$/ });
  await dialog.getByRole('button', { name: payButton }).click();
  await page.waitForURL('**/user/wallet?topup=*');
  await page.getByRole('dialog').getByLabel('Payment method').selectOption('paypal');
  await page.getByRole('dialog').getByRole('button', { name: 'Add Funds' }).click();
  await page.getByRole('link', { name: /Cancel/ }).click();
  await expect(page.getByText(/nothing was charged/i)).toBeVisible();
  await page.getByRole('link', { name: 'Back to your order' }).click();
  await expect(dialog.getByLabel('Project')).toHaveValue(projectId);
  await dialog.getByRole('button', { name: payButton }).click();
  await topUp(page, '10.00', 'stripe');
  await dialog.getByRole('button', { name: payButton }).click();
  await expectOrders(page, 2);
});

test('the wallet returns only to pages of the customer area', async ({ page }) => {
  for (const back of [
    'https://evil.example.com/',
    '//evil.example.com',
    '/dashboard',
    '/user/../dashboard',
    'javascript:1',
  ]) {
    await page.goto(`/user/wallet?topup=5.00&back=${encodeURIComponent(back)}`);
    await expect(page.getByRole('dialog', { name: 'Add Funds' })).toContainText('The money is added to your wallet');
  }
});
