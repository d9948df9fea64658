import { expect, type Page } from '@playwright/test';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { saveBranding } from '@/lib/settings/branding/save-branding';
import { saveBrandingInput } from '@/lib/settings/branding/schemas';
import { makeAccount } from '@/tests/factories/make-account';
import { makeUser } from '@/tests/factories/make-user';
import { startSecondInstallation } from '@/tests/setup/second-installation';
import { chooseTheme } from './choose-theme';
import { expectAlive } from './expect-alive';
import { expectNoViolation } from './expect-no-violation';
import { leaveInstallation } from './leave-installation';
import { signIn, signInAs } from './sign-in';
import { allowing, expecting, test } from './watched-test';

const away = 'The marketplace is temporarily unavailable. Your saved data is safe. Please try again in a few seconds.';

test(
  'an unavailable database shows a message, and Try again shows the page afterwards @both @full',
  expecting(
    '503 GET /user/wallet',
    '503 GET /dashboard/features/orders',
    '503 GET /register',
    '503 GET /api/health',
    // "An error occurred in the Server Components render", which the page logs.
    'console: Error: Minified React error #441*',
  ),
  async ({ browser, isMobile }) => {
    test.setTimeout(240_000);
    const there = await startSecondInstallation();
    try {
      const renamed = saveBrandingInput.parse({ ...defaultBranding, version: 0, siteName: 'Acme Links' });
      await there.run(async () => saveBranding(await makeUser('Admin'), renamed));
      const open = async (): Promise<Page> => {
        const page = await (await browser.newContext({ baseURL: there.origin })).newPage();
        await chooseTheme(page, isMobile ? 'dark' : 'light');
        return page;
      };
      const [buyer, admin, stranger] = [await open(), await open(), await open()];
      await signIn(buyer, 'user', (await there.run(() => makeAccount())).email);
      await signIn(admin, 'admin', (await there.run(() => makeAccount({ role: 'Admin' }))).email);
      const pages = [
        [buyer, '/user/wallet', 'Wallet'],
        [admin, '/dashboard/features/orders', 'Orders'],
        [stranger, '/register', 'Register'],
      ] as const;

      // A server without a database shows the branding of its last page.
      await stranger.goto('/register');
      await there.closeDatabase();
      for (const [page, path] of pages) {
        // The visible result is awaited below.
        await page.goto(path, { waitUntil: 'commit' });
        await expect(page.getByRole('alert').filter({ hasText: away })).toMatchAriaSnapshot(`
          - alert:
            - paragraph: Acme Links
            - heading "Something went wrong" [level=1]
            - paragraph: ${away}
        `);
        await expectNoViolation(page);
      }
      await there.reopenDatabase();
      for (const [page, , heading] of pages) {
        await page.getByRole('button', { name: 'Try again' }).click();
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      }
    } finally {
      await leaveInstallation(browser, there);
    }
  },
);

test(
  'a list that loses the database shows a message in its portal, and Try again shows the list @both @full',
  allowing(
    // "The server could not finish this Suspense boundary": logged when React reads it from the markup before it reads
    // #441 from the data.
    'error: Minified React error #419*',
    expecting('503 GET /api/health', 'console: Error: Minified React error #441*'),
  ),
  async ({ browser, isMobile }) => {
    test.setTimeout(240_000);
    const there = await startSecondInstallation();
    try {
      const page = await (await browser.newContext({ baseURL: there.origin })).newPage();
      await chooseTheme(page, isMobile ? 'dark' : 'light');
      await signInAs(page, 'user', (await there.run(() => makeAccount())).email);
      // After the layout is interactive and before the list is loaded.
      await there.closeDatabaseDuring('orders', async () => {
        await page.goto('/user/orders', { waitUntil: 'commit' });
        await expectAlive(page.getByRole('button', { name: 'Notifications' }));
      });
      const failure = page.getByRole('main').getByRole('alert').filter({ hasText: 'Failed to load orders page.' });
      await expect(failure).toContainText(away);
      await expectNoViolation(page);
      await there.reopenDatabase();
      await failure.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
    } finally {
      await leaveInstallation(browser, there);
    }
  },
);
