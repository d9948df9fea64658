import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { signIn } from './sign-in';
import { expecting, test } from './watched-test';

/** How the script is loaded again, after the connection is back. */
const ways: Record<string, (page: Page, word: string) => Promise<void>> = {
  'by Try again': (page) => page.getByRole('button', { name: 'Try again' }).click(),
  'when the browser is online again': (page) => page.evaluate(() => void window.dispatchEvent(new Event('online'))),
  'when another site is selected': (page, word) => page.getByLabel(`Select ${word} two`).check(),
};

for (const [way, loadAgain] of Object.entries(ways)) {
  test(
    `without the script of the cart the list stays, and the script is loaded ${way}${way === 'by Try again' ? '' : ' @full'}`,
    expecting('console: *Failed to load chunk*'),
    async ({ page, context }) => {
      const word = `lost${newId().slice(-10)}`;
      const [buyer, seller] = await Promise.all([makeAccount(), makeUser('Seller')]);
      for (const name of ['one', 'two']) await makeSite(seller.userId, 10_000, { name: `${word} ${name}` });
      await signIn(page, 'user', buyer.email);
      // Only the way of the test loads the script, not the timer.
      await page.addInitScript(() => {
        const original = window.setInterval.bind(window);
        Object.assign(window, { setInterval: (act: TimerHandler, ms = 0) => (ms === 5_000 ? 0 : original(act, ms)) });
      });
      // Without a fake clock: the page also prefetches the script, which fails too.
      let isLost = true;
      await context.route('**/_next/static/chunks/*.js', async (route) => {
        const response = await route.fetch();
        const isCart = (await response.text()).includes('"aria-label":"Cart"');
        if (isLost && isCart) await route.abort();
        else await route.fulfill({ response });
      });
      await page.goto(`/user/marketplace?q=${word}`);
      const row = page.getByRole('row', { name: `${word} one` });
      const cart = page.getByRole('region', { name: 'Cart' });
      const lost = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded.' });

      await page.getByLabel(`Select ${word} one`).check();
      await expect(lost).toBeVisible();
      await expect(row).toBeVisible();
      // The saved cart changes the props, which loads the script too.
      await expect(page.getByRole('link', { name: 'Cart, 1 site' })).toBeVisible();

      isLost = false;
      await loadAgain(page, word);
      await expect(cart).toContainText(/\d sites?/);
      await expect(lost).toHaveCount(0);
      await expect(row).toBeVisible();
    },
  );
}
