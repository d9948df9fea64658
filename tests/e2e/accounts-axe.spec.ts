import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { makeAccount, testPassword } from '../factories/make-account';
import { test } from './own-address';
import { signInAs } from './sign-in';

async function choose(page: Page, theme: 'light' | 'dark') {
  await page.addInitScript((chosen) => {
    for (const key of ['theme', 'user-theme', 'seller-theme']) localStorage.setItem(key, chosen);
  }, theme);
}

async function expectNoViolation(page: Page) {
  // Colours are measured where they have come to rest.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const { violations } = await new AxeBuilder({ page }).exclude('nextjs-portal').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
}

const open: [path: string, reach?: (page: Page) => Promise<void>][] = [
  ['/user/login'],
  ['/admin/login'],
  ['/seller/login'],
  ['/register', (page) => page.getByRole('button', { name: 'Register' }).click()],
  ['/verify-email', (page) => expect(page.getByText('Missing verification token.')).toBeVisible()],
  ['/user/forgot'],
  ['/seller/forgot?token=some'],
  ['/user/forgot?token='],
  [
    '/user/login',
    async (page) => {
      await page.getByText('Create account').click();
      await page.getByRole('dialog').getByLabel('Email').fill('ann');
    },
  ],
  [
    '/user/login',
    async (page) => {
      await page.getByText('Forgot password').click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  ],
];

const guarded = [
  ['user', 'User', '/user/security'],
  ['seller', 'Seller', '/seller/security'],
  ['admin', 'Admin', '/dashboard/security'],
] as const;

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the account screens, ${theme} @both`, async ({ page }) => {
    test.setTimeout(180_000);
    await choose(page, theme);
    for (const [path, reach] of open) {
      await test.step(path, async () => {
        await page.goto(path, { waitUntil: 'networkidle' });
        await reach?.(page);
        await expectNoViolation(page);
      });
    }
  });

  for (const [portal, role, path] of guarded) {
    test(`axe finds nothing on ${path}, ${theme} @both`, async ({ page }) => {
      await choose(page, theme);
      await signInAs(page, portal, (await makeAccount({ role })).email);
      await page.goto(path, { waitUntil: 'networkidle' });
      await expectNoViolation(page);
      if (portal === 'user') return;
      await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
      await page.getByLabel('Your password').fill(testPassword);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
      await expectNoViolation(page);
    });
  }
}
