import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { makeSite } from '@/tests/factories/make-site';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

const input = (page: Page) => page.getByRole('combobox', { name: 'Search screens, users, orders and sites' });
const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]');

async function openByKeys(page: Page): Promise<void> {
  // The shortcut works once the page is hydrated.
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(input(page)).toBeFocused({ timeout: 2_000 });
  }).toPass();
}

test('the palette opens screens, users, orders and sites with the keyboard alone', async ({ page }) => {
  const { id, buyer } = await makeOrder(1_000);
  const siteName = `palette-${newId()}.example.com`;
  const site = await makeSite((await makeUser('Seller')).userId, 1_000, { name: siteName });
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);

  await openByKeys(page);
  await expect(chosen(page)).toContainText('Home');
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toContainText('Orders');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(chosen(page)).toContainText('Logout');
  await page.keyboard.type('audit');
  await expect(chosen(page)).toContainText('Audit Logs');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/features/audit-logs');

  for (const [words, text, url] of [
    [buyer.email, buyer.email, `**/dashboard/features/users?user=${buyer.userId}`],
    [`#${id}`, `#${id} `, `**/dashboard/features/orders?order=${id}`],
    [siteName, siteName, `**/dashboard/features/guest-posts?site=${site}`],
  ] as const) {
    await openByKeys(page);
    await page.keyboard.type(words);
    await expect(chosen(page)).toContainText(text);
    await page.keyboard.press('Enter');
    await page.waitForURL(url);
    await page.goto('/dashboard');
  }
});

test('the palette closes with Escape, restores the focus, and shows a message without results @both @full', async ({
  page,
}) => {
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  const opener = page.getByRole('button', { name: 'Search the console' });
  await opener.click();
  await expect(input(page)).toBeFocused();
  await page.keyboard.type('nothing is called this');
  await expect(page.getByText('No results found.')).toBeVisible();
  await expectNoViolation(page);
  await input(page).fill('');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press('Escape');
  await expect(input(page)).toBeHidden();
  await expect(opener).toBeFocused();
});

test('staff find only what they may open', async ({ page }) => {
  const { id, buyer } = await makeOrder(1_000);
  await signInAs(page, 'admin', (await makeStaff('ManageOrders')).email);
  await openByKeys(page);
  await expect(page.getByRole('option', { name: 'Wallet Manager' })).toBeHidden();
  await page.keyboard.type(buyer.email);
  await expect(page.getByText('found')).toBeAttached();
  await expect(page.getByRole('option').filter({ hasText: 'Users:' })).toBeHidden();
  await input(page).fill(`#${id}`);
  await expect(chosen(page)).toContainText(`#${id} `);
});

test('a staff member starts a top-up and a refund from the palette, and switches the theme @full', async ({ page }) => {
  const { id, buyer } = await makeOrder(1_000);
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  await openByKeys(page);
  await page.keyboard.type(`top up ${buyer.email}`);
  await expect(chosen(page)).toContainText('Top up');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/wallet-manager?topup=${buyer.userId}`);
  await page.goto('/dashboard');
  await openByKeys(page);
  await page.keyboard.type(`refund #${id}`);
  await expect(chosen(page)).toContainText(`Refund #${id}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Status', { exact: true })).toHaveValue('Refunded');
  await page.goto('/dashboard');
  await openByKeys(page);
  const before = await page.locator('html').getAttribute('data-theme');
  await page.keyboard.type('theme');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', before ?? '');
});

test('buyers and sellers open their records with the palette @both @full', async ({ page }) => {
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 1_000);
  const id = await spendMoney(buyer, 1_000);
  await signInAs(page, 'user', buyer.email);
  await page.getByRole('button', { name: 'Search your account' }).click();
  const search = page.getByRole('combobox', { name: 'Search screens, orders and projects' });
  await expectNoViolation(page);
  await search.fill(`#${id}`);
  await expect(chosen(page)).toContainText(`#${id} `);
  await search.press('Enter');
  await page.waitForURL(`**/user/orders?order=${id}`);
  const seller = await makeAccount({ role: 'Seller' });
  const site = await makeSite(seller.userId, 1_000, { name: `Palette ${newId()}` });
  await page.context().clearCookies();
  await signInAs(page, 'seller', seller.email);
  await page.getByRole('button', { name: 'Search the portal' }).click();
  await page.getByRole('combobox', { name: 'Search screens, orders and sites' }).fill('palette');
  await expect(chosen(page)).toContainText('Palette ');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/seller/my-sites?site=${site}`);
});
