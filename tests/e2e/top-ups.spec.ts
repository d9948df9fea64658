import { expect, type Page } from '@playwright/test';
import { makeAccount } from '../factories/make-account';
import { signInAs } from './sign-in';
import { startTopUp } from './start-top-up';
import { test } from './watched-test';

async function startTopUpAsNewBuyer(page: Page, method: 'paypal' | 'wechat'): Promise<void> {
  await signInAs(page, 'user', (await makeAccount()).email);
  await startTopUp(page, method);
}

async function expectCredit(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/user/wallet' && url.search === '', { timeout: 30_000 });
  await expect(page.getByText('Transactions: 1')).toBeVisible();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$50.00');
}

test('PayPal: approved on its page, captured on return, credited once @both', async ({ page }) => {
  await startTopUpAsNewBuyer(page, 'paypal');
  await page.getByRole('button', { name: /^Pay / }).click();
  await expectCredit(page);
});

test('PayPal: a cancelled approval charges nothing and says so', async ({ page }) => {
  await startTopUpAsNewBuyer(page, 'paypal');
  await page.getByRole('link', { name: /Cancel/ }).click();
  await page.waitForURL((url) => url.pathname === '/user/wallet' && url.search === '');
  await expect(page.getByText(/nothing was charged/i)).toBeVisible();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$0.00');
});

test('WeChat Pay: the page with the code continues automatically after the payment', async ({ page, context }) => {
  await startTopUpAsNewBuyer(page, 'wechat');
  await page.waitForURL('**/user/wallet/wechat/*');
  await expect(page.getByRole('img', { name: 'QR code to scan with WeChat' })).toBeVisible();
  const [phone] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open on the sandbox phone' }).click(),
  ]);
  await phone.getByRole('button', { name: /^Pay ¥/ }).click();
  await expectCredit(page);
});

test.describe('on a phone', () => {
  // The app recognizes a phone by its user agent: WeChat Pay's H5 page opens the app there.
  test.use({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148' });

  test('WeChat Pay: its own page, and back to the credited wallet @phone', async ({ page }) => {
    await startTopUpAsNewBuyer(page, 'wechat');
    await page.getByRole('button', { name: /^Pay ¥/ }).click();
    await expectCredit(page);
  });
});

test.describe("in the WeChat app's browser", () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50',
  });

  test('WeChat Pay: the code, and the way to a browser that can pay @phone', async ({ page }) => {
    await startTopUpAsNewBuyer(page, 'wechat');
    await page.waitForURL('**/user/wallet/wechat/*');
    await expect(page.getByRole('img', { name: 'QR code to scan with WeChat' })).toBeVisible();
    await expect(page.getByText('open this page in your browser')).toBeVisible();
  });
});
