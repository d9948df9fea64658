import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { saveFilter } from '@/lib/users/saved-filters';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectNoViolation } from './expect-no-violation';
import { openCart } from './open-cart';
import { signIn } from './sign-in';
import { test } from './watched-test';

const opened = (page: Page) => expect(page.getByRole('dialog').first()).toBeVisible();
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).click();
  await opened(page);
};

test('axe finds no violation in the menus and dialogs of the marketplace @both @full', async ({ page, isMobile }) => {
  test.setTimeout(180_000);
  const word = `m${newId().slice(-10)}`;
  const [buyer, seller] = await Promise.all([makeAccount(), makeUser('Seller')]);
  await makeSite(seller.userId, 1_000, { name: `${word} one`, dr: 10, spam: 3, traffic: 1_200, rules: 'Two links.' });
  await saveFilter(buyer, { list: 'marketplace', name: 'Kept', query: 'minDr=5', overwrite: false });
  await signIn(page, 'user', buyer.email);

  const states: [name: string, query: string, reach: (page: Page) => Promise<void>][] = [
    ['saved filters', `?q=${word}&minDr=5`, press('Saved filters')],
    [
      'columns',
      '',
      async () => {
        await page.getByRole('button', { name: 'Columns' }).click();
        await expect(page.getByRole('menu')).toBeVisible();
      },
    ],
    [
      'the drawer of a site',
      `?q=${word}`,
      async () => {
        await page.getByRole('link', { name: `${word} one`, exact: true }).click();
        await expect(page.getByRole('dialog', { name: `${word} one` })).toBeVisible();
      },
    ],
    [
      'the range filters',
      `?q=${word}&minDr=5`,
      async () => {
        // On a phone they are in the sheet.
        if (!isMobile) await expect(page.getByRole('slider', { name: 'DR, minimum' })).toBeVisible();
      },
    ],
    [
      'the cart',
      `?q=${word}`,
      async () => {
        await page.getByLabel(`Select ${word} one`).check();
        const cart = await openCart(page);
        await expectNoViolation(page);
        await cart.getByRole('button', { name: 'New project' }).click();
        await expect(page.getByRole('dialog', { name: 'Create New Project' })).toBeVisible();
      },
    ],
  ];
  if (isMobile) states.push(['the sheet of filters', `?q=${word}&minDr=5`, press(/^Filters/)]);
  else
    states.push([
      'the menu of niches',
      `?q=${word}`,
      async () => {
        await page.getByRole('button', { name: /^Niche/ }).click();
        await expect(page.getByRole('menu')).toBeVisible();
      },
    ]);
  for (const [name, query, reach] of states) {
    await test.step(name, async () => {
      await page.goto(`/user/marketplace${query}`, { waitUntil: 'networkidle' });
      await reach(page);
      await expectNoViolation(page);
    });
  }
});
