import { expect, type Page } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { expectNoViolation } from './expect-no-violation';
import { signIn } from './sign-in';
import { startTopUp } from './start-top-up';
import { test } from './watched-test';

async function startTopUpAsNewBuyer(page: Page, method: 'paypal' | 'wechat'): Promise<void> {
  await signIn(page, 'user', (await makeAccount()).email);
  await startTopUp(page, method);
}

async function expectCredit(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/user/wallet' && url.search === '', { timeout: 30_000 });
  await expect(page.getByText('Transactions: 1')).toBeVisible();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$50.00');
}

test('PayPal: approved on its page, captured on return, credited once @both-full', async ({ page }) => {
  await startTopUpAsNewBuyer(page, 'paypal');
  await page.getByRole('button', { name: /^Pay / }).click();
  await expectCredit(page);
});

test('PayPal: a cancelled approval charges nothing and says so @full', async ({ page }) => {
  await startTopUpAsNewBuyer(page, 'paypal');
  await page.getByRole('link', { name: /Cancel/ }).click();
  await page.waitForURL((url) => url.pathname === '/user/wallet' && url.search === '');
  await expect(page.getByText(/nothing was charged/i)).toBeVisible();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$0.00');
});

test('a pending top-up is continued and canceled from the wallet and the dashboard', async ({ page }) => {
  await startTopUpAsNewBuyer(page, 'paypal');
  await page.getByRole('button', { name: /^Pay / }).waitFor();
  await page.goto('/user');
  const activity = page.getByRole('region').or(page.locator('section')).filter({ hasText: 'Recent activity' }).last();
  await activity.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('button', { name: /^Pay / }).waitFor();
  await page.goto('/user/wallet');
  const row = page.getByRole('row').filter({ hasText: 'Waiting for the payment' });
  await expect(row.getByRole('link', { name: 'Continue' })).toBeVisible();
  await expectNoViolation(page);
  await row.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Payment canceled. Nothing was charged.')).toBeVisible();
  await expect(row).toHaveCount(0);
});

test.describe('at another name of this machine', () => {
  const { protocol, hostname, port } = new URL(process.env.TEST_APP_URL ?? 'http://localhost:3000');
  const other = hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  test.use({ baseURL: `${protocol}//${other}:${port}` });

  for (const method of ['paypal', 'wechat'] as const)
    test(`${method}: the payment returns where it began, signed in @full`, async ({ page, context }) => {
      await startTopUpAsNewBuyer(page, method);
      if (method === 'wechat') {
        const [phone] = await Promise.all([
          context.waitForEvent('page'),
          page.getByRole('link', { name: 'Open on the sandbox phone' }).click(),
        ]);
        await phone.getByRole('button', { name: /^Pay ¥/ }).click();
      } else await page.getByRole('button', { name: /^Pay / }).click();
      await expectCredit(page);
      expect(new URL(page.url()).hostname).toBe(other);
    });
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

  test('WeChat Pay: the code, and the way to a browser that can pay @phone @full', async ({ page }) => {
    await startTopUpAsNewBuyer(page, 'wechat');
    await page.waitForURL('**/user/wallet/wechat/*');
    await expect(page.getByRole('img', { name: 'QR code to scan with WeChat' })).toBeVisible();
    await expect(page.getByText('open this page in your browser')).toBeVisible();
  });
});
