import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeConsents } from '@/tests/factories/make-consents';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { press, tabTo, type } from './by-keyboard';
import { checkoutLink } from './open-cart';
import { payButton } from './pay-button';
import { test } from './watched-test';

async function signIn(page: Page, portal: 'user' | 'admin', email: string) {
  await makeConsents(email);
  await page.goto(`/${portal}/login`);
  await type(page, page.getByLabel('Email'), email);
  await type(page, page.getByLabel(/^Password/), testPassword);
  await press(page, page.getByRole('button', { name: 'Sign in' }));
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
}

test('with the keyboard alone, two sites are ordered, one is delivered, and its file is downloaded', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const word = `k${newId().slice(-10)}`;
  const [account, seller] = [await makeAccount(), await makeUser('Seller')];
  await fundWallet(account.userId, 20_000);
  await makeProject(account);
  for (const [name, cents] of [
    ['one', 2_000],
    ['two', 3_000],
  ] as const) {
    await makeSite(seller.userId, cents, { name: `${word} ${name}` });
  }

  await test.step('the buyer signs in, searches, selects two sites and orders them', async () => {
    await signIn(page, 'user', account.email);
    await press(page, page.getByRole('link', { name: 'Marketplace', exact: true }));
    await page.waitForURL('**/user/marketplace*');
    await page.getByRole('searchbox').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(word);
    await page.waitForURL((url) => url.searchParams.get('q') === word);
    await press(page, page.getByLabel(`Select ${word} one`), 'Space');
    await press(page, page.getByLabel(`Select ${word} two`), 'Space');
    await expect(page.getByRole('region', { name: 'Cart' })).toContainText('$50.00');
    await press(page, checkoutLink(page));
    await page.waitForURL('**/user/cart?*');
    // One cell of the table is in the tab order.
    await tabTo(page, page.getByRole('grid').getByRole('gridcell'));
    await press(page, page.getByRole('button', { name: payButton }));
    await expect(page.getByText('Added to orders successfully.')).toBeVisible();
  });

  await test.step('an admin opens the order, sets file and link, and saves', async () => {
    const admin = await (await browser.newContext()).newPage();
    await signIn(admin, 'admin', (await makeAccount({ role: 'Admin' })).email);
    await admin.goto(`/dashboard/features/orders?q=${account.email}`);
    await press(admin, admin.getByRole('link', { name: /^View \/ Edit order #/ }).first());
    const dialog = admin.getByRole('dialog');
    await type(admin, dialog.getByLabel('Live link'), 'news.example.com/keys');
    const chooser = admin.waitForEvent('filechooser');
    await press(admin, dialog.locator('input[type=file]'));
    await (await chooser).setFiles({ name: 'Keys.txt', mimeType: 'text/plain', buffer: Buffer.from('By keys.') });
    await press(admin, dialog.getByRole('button', { name: 'Upload content' }));
    await expect(admin.getByText('Content uploaded.')).toBeVisible();
    await press(admin, dialog.getByRole('button', { name: 'Save changes' }));
    await expect(admin.getByText('Changes saved and visible to the user.')).toBeVisible();
    await admin.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('the buyer opens the orders and downloads the file', async () => {
    await press(page, page.getByRole('link', { name: 'Orders', exact: true }));
    await page.waitForURL('**/user/orders');
    const row = page.getByRole('row').filter({ hasText: 'news.example.com/keys' });
    const download = page.waitForEvent('download');
    await press(page, row.getByRole('link', { name: /^Download the content of order #/ }));
    expect(await readFile(await (await download).path(), 'utf8')).toBe('By keys.');
  });
});
