import { expect, type Page } from '@playwright/test';
import { makeAccount } from '../factories/make-account';
import { startSecondInstallation } from '../setup/second-installation';
import { chooseTheme } from './choose-theme';
import { expectNoViolation } from './expect-no-violation';
import { leaveInstallation } from './leave-installation';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const away =
  'The marketplace cannot do its work right now. Nothing you saved is lost; please try again in a few seconds.';

test(
  'a database that is away is told to everybody in plain words, and Try again shows the page once it is back @both',
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
      const open = async (): Promise<Page> => {
        const page = await (await browser.newContext({ baseURL: there.origin })).newPage();
        await chooseTheme(page, isMobile ? 'dark' : 'light');
        return page;
      };
      const [buyer, admin, stranger] = [await open(), await open(), await open()];
      await signInAs(buyer, 'user', (await there.run(() => makeAccount())).email);
      await signInAs(admin, 'admin', (await there.run(() => makeAccount({ role: 'Admin' }))).email);
      const pages = [
        [buyer, '/user/wallet', 'Wallet'],
        [admin, '/dashboard/features/orders', 'Admin · Orders'],
        [stranger, '/register', 'Register'],
      ] as const;

      await there.takeDatabaseAway();
      for (const [page, path] of pages) {
        // What the person sees is waited for below.
        await page.goto(path, { waitUntil: 'commit' });
        await expect(page.getByRole('alert').filter({ hasText: away })).toBeVisible();
        await expectNoViolation(page);
      }
      await there.bringDatabaseBack();
      for (const [page, , heading] of pages) {
        await page.getByRole('button', { name: 'Try again' }).click();
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      }
    } finally {
      await leaveInstallation(browser, there);
    }
  },
);
