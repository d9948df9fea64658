import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { openCart } from './open-cart';
import { payButton } from './pay-button';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

/** "$1,234.50" as cents. */
const cents = (text: string) => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100);
const balance = async (page: Page) =>
  cents((await page.getByLabel('Balance', { exact: true }).textContent())?.match(/\$[\d,.]+/)?.[0] ?? '');

test(
  'a top-up, two ordered placements, delivery and download are completed and audited @full',
  expecting('402 POST /api/user/carts/*/order'),
  async ({ browser }) => {
    test.setTimeout(180_000);
    const [buyerAccount, adminAccount] = [await makeAccount(), await makeAccount({ role: 'Admin' })];
    await makeProject(buyerAccount, { domain: 'tools.example.com' });
    const buyer = await (await browser.newContext()).newPage();
    const admin = await (await browser.newContext()).newPage();

    await test.step('the buyer signs in and adds 100 USD by Stripe', async () => {
      await signInAs(buyer, 'user', buyerAccount.email, '/user/wallet');
      expect(await balance(buyer)).toBe(0);
      await expect(buyer.getByText('No transactions yet. Add funds to see them here.')).toBeVisible();
      await buyer.getByRole('button', { name: 'Add Funds' }).first().click();
      const dialog = buyer.getByRole('dialog');
      await dialog.getByRole('button', { name: '+100' }).click();
      await dialog.getByRole('button', { name: 'Add Funds' }).click();
      await buyer.getByRole('button', { name: 'Pay $100.00' }).click();
      await buyer.waitForURL('**/user/wallet');
      await expect(buyer.getByText('Transactions: 1')).toBeVisible();
      expect(await balance(buyer)).toBe(10_000);
    });

    await test.step('going back and paying again changes nothing', async () => {
      await buyer.goBack();
      const pay = buyer.getByRole('button', { name: /^Pay \$/ });
      if (await pay.isVisible()) await pay.click();
      await buyer.goto('/user/wallet');
      await expect(buyer.getByText('Transactions: 1')).toBeVisible();
      expect(await balance(buyer)).toBe(10_000);
    });

    let total = 0;
    await test.step('two sites are ordered and the wallet decreases by exactly their price', async () => {
      await buyer.goto('/user/marketplace');
      const boxes = buyer.getByRole('row').getByRole('checkbox');
      await boxes.nth(1).check();
      await boxes.nth(2).check();
      const bar = buyer.getByRole('region', { name: 'Cart' });
      await expect(bar).toContainText('2 sites');
      total = cents(((await bar.textContent()) ?? '').match(/\$[\d,]+\.\d\d/)?.[0] ?? '');
      const cart = await openCart(buyer);
      await expect(cart.getByRole('link', { name: 'Project tools.example.com' })).toBeVisible();
      await cart.getByRole('button', { name: payButton }).click();
      await expect(buyer.getByText('Added to orders successfully.')).toBeVisible();
      await buyer.goto('/user/wallet');
      await expect(buyer.getByText('Transactions: 3')).toBeVisible();
      expect(await balance(buyer)).toBe(10_000 - total);
    });

    await test.step('insufficient funds lead to a top-up of the missing amount and keep the cart', async () => {
      await buyer.goto('/user/marketplace?sort=price&order=desc');
      await buyer.getByRole('row').getByRole('checkbox').nth(1).check();
      await (await openCart(buyer)).getByRole('button', { name: payButton }).click();
      await buyer.waitForURL('**/user/wallet?topup=*');
      await expect(buyer.getByRole('dialog').getByLabel('Amount')).not.toHaveValue('');
      await expect(buyer.getByRole('dialog')).toContainText('You need this much more for your order.');
      await buyer.goto('/user/marketplace');
      await expect(buyer.getByRole('region', { name: 'Cart' })).toContainText('1 site');
    });

    await test.step('the admin finds the order, processes it, uploads the content and sets the live link', async () => {
      await signInAs(
        admin,
        'admin',
        adminAccount.email,
        `/dashboard/features/orders?q=${encodeURIComponent(buyerAccount.email)}`,
      );
      await expect(admin.getByRole('row')).toHaveCount(3);
      await admin
        .getByRole('row')
        .nth(1)
        .getByRole('link')
        .or(admin.getByRole('row').nth(1).getByRole('button'))
        .last()
        .click();
      const dialog = admin.getByRole('dialog');
      await dialog.getByLabel('Status').selectOption('Processing');
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await expect(admin.getByText('Changes saved and visible to the user.')).toBeVisible();
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'Artikel «Spaten» Ω.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('The delivered article.'),
      });
      await dialog.getByRole('button', { name: 'Upload content' }).click();
      await expect(admin.getByText('Content uploaded.')).toBeVisible();
      await dialog.getByLabel('Live link').fill('news.example.com/spades');
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await expect(dialog.getByLabel('Live link')).toHaveValue('https://news.example.com/spades');
    });

    await test.step('the buyer sees status and link and downloads the file', async () => {
      await buyer.goto('/user/orders');
      const row = buyer.getByRole('row').filter({ hasText: 'news.example.com/spades' });
      await expect(row).toContainText('Completed');
      await expect(row.getByRole('link', { name: /news\.example\.com/ })).toHaveAttribute(
        'href',
        'https://news.example.com/spades',
      );
      const [download] = await Promise.all([
        buyer.waitForEvent('download'),
        row.getByRole('link', { name: /^Download the content of order #/ }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('Artikel «Spaten» Ω.txt');
      expect(await readFile(await download.path(), 'utf8')).toBe('The delivered article.');
    });

    await test.step('the audit log contains all steps, and the books are valid', async () => {
      await admin.goto(`/dashboard/features/audit-logs?q=${encodeURIComponent(buyerAccount.email)}`);
      await expect(admin.getByRole('main')).toContainText('Order #');
      const report = await verifyBooks();
      expect(report.checks.filter((check) => check.broken > 0)).toEqual([]);
    });
  },
);
