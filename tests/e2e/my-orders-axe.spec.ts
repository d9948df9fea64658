import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/create';
import { updateOrder } from '@/lib/orders/update';
import { fundWallet } from '../factories/fund-wallet';
import { makeAccount } from '../factories/make-account';
import { makeProject } from '../factories/make-project';
import { makeSite } from '../factories/make-site';
import { makeUser } from '../factories/make-user';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

const dialog = (page: Page) => page.getByRole('dialog');

test('axe finds no violation in any state of My Orders @both', async ({ page }) => {
  test.setTimeout(240_000);
  const word = `x${newId().slice(-10)}`;
  const [buyer, seller, admin] = await Promise.all([makeAccount(), makeUser('Seller'), makeUser('Admin')]);
  const projectId = await makeProject(buyer);
  await fundWallet(buyer.userId, 5_000);
  const siteIds = await Promise.all(
    ['one', 'two'].map((name) => makeSite(seller.userId, 2_400, { name: `${word} ${name}`, dr: 40, traffic: 900 })),
  );
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds });
  const [first, second] = orders.map(({ id }) => id);
  const news = { linkUrl: 'https://live.example.com/post', adminComments: 'It is up.\nHave a look.' };
  await updateOrder(admin, first ?? 0, news);
  await db()
    .update(sites)
    .set({ publicPriceCents: 2_900, publicPriceUsdCents: 2_900 })
    .where(eq(sites.id, siteIds[0] ?? 0));
  await db()
    .update(sites)
    .set({ status: 'Pending' })
    .where(eq(sites.id, siteIds[1] ?? 0));
  await signInAs(page, 'user', buyer.email);

  const states: [name: string, query: string, reach?: (page: Page) => Promise<void>][] = [
    ['the list', ''],
    ['nothing matches', `?q=${newId()}&status=Pending`],
    ['a page too far', '?page=9'],
    ['details', `?order=${first}`],
    ['no such order', '?order=999999999'],
    [
      'New Order, with what is missing told',
      '?new=package&quantity=0',
      async () => {
        await dialog(page).getByRole('button', { name: 'Place order' }).click();
        await expect(dialog(page).getByText('Choose a package.')).toBeVisible();
      },
    ],
    ['New Order, too dear', '?new=package&quantity=50', async () => dialog(page).getByRole('radio').last().check()],
    ['a package that is gone', '?new=package&package=999999999'],
    ['Build Custom', `?new=custom&q=${word}&minDr=1`],
    ['Build Custom, nothing found', `?new=custom&q=${newId()}`],
    [
      'Build Custom, the sum',
      `?new=custom&q=${word}`,
      async () => {
        await dialog(page).getByLabel(`Select ${word} one`).check();
        await dialog(page).getByRole('button', { name: 'Continue' }).click();
        await expect(dialog(page).getByRole('button', { name: 'Place order' })).toBeVisible();
      },
    ],
    ['order again', `?again=${first}`],
    ['order again, no longer on sale', `?again=${second}`],
  ];
  for (const [name, query, reach] of states) {
    await test.step(name, async () => {
      await page.goto(`/user/orders${query}`, { waitUntil: 'networkidle' });
      if (/[?&](order|new|again)=/.test(query)) await expect(dialog(page)).toBeVisible();
      await reach?.(page);
      await expectNoViolation(page);
    });
  }
});
