import { expect } from '@playwright/test';
import { newId } from '@/lib/ids';
import { makeAccount } from '../factories/make-account';
import { makeSite } from '../factories/make-site';
import { makeUser } from '../factories/make-user';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test(
  'without the script of the selection the list stays, and Try again loads the script',
  expecting('console: *Failed to load chunk*'),
  async ({ page, context }) => {
    const word = `lost${newId().slice(-10)}`;
    const [buyer, seller] = await Promise.all([makeAccount(), makeUser('Seller')]);
    await makeSite(seller.userId, 10_000, { name: `${word} one` });
    await signInAs(page, 'user', buyer.email);
    // Without a fake clock: the page also prefetches the script, which fails too.
    let isLost = true;
    await context.route('**/_next/static/chunks/*.js', async (route) => {
      const response = await route.fetch();
      const isSelection = (await response.text()).includes('"aria-label":"Selection"');
      if (isLost && isSelection) await route.abort();
      else await route.fulfill({ response });
    });
    await page.goto(`/user/marketplace?q=${word}`);
    const row = page.getByRole('row', { name: word });
    const selection = page.getByRole('region', { name: 'Selection' });
    const lost = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded.' });

    await page.getByLabel(`Select ${word} one`).check();
    await expect(lost).toBeVisible();
    await expect(row).toBeVisible();

    isLost = false;
    await lost.getByRole('button', { name: 'Try again' }).click();
    await expect(selection).toContainText('1 site');
    await expect(lost).toHaveCount(0);
    await expect(row).toBeVisible();
  },
);
