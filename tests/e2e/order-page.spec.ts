import { type Browser, expect, type Page } from '@playwright/test';
import type { Actor } from '@/lib/access/actor';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { accept, decline, deliver } from '@/tests/setup/placement-verbs';
import { withoutTimes } from '@/tests/setup/without-times';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

const portals = { user: '/user/orders', seller: '/seller/orders', admin: '/dashboard/features/orders' };

async function openAs(browser: Browser, portal: keyof typeof portals, { email }: Pick<Actor, 'email'>, id: number) {
  const page = await (await browser.newContext()).newPage();
  await signInAs(page, portal, email, `${portals[portal]}/${id}`);
  return page;
}

const progress = (page: Page) => page.getByRole('list', { name: 'Progress' });
const current = (page: Page) => progress(page).locator('[aria-current="step"]');

test('buyer, seller and staff see the steps of an order on its page, without the amounts of the other side', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const [buyer, seller] = [await makeAccount(), await makeAccount({ role: 'Seller' })];
  const admin = await makeAccount({ role: 'Admin' });
  const offer = await makeOffer(7_351, {}, { buyer, seller });
  await accept(offer);
  const [user, shop, desk] = [
    await openAs(browser, 'user', buyer, offer.id),
    await openAs(browser, 'seller', seller, offer.id),
    await openAs(browser, 'admin', admin, offer.id),
  ];
  for (const page of [user, shop, desk]) {
    await expect(progress(page).getByRole('listitem')).toHaveCount(5);
    await expect(current(page)).toContainText('Published (current step)');
    await expect(current(page)).toContainText('Publish by');
    await expectNoViolation(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await expectNoViolation(page);
    const isScrolling = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(isScrolling).toBe(false);
  }
  await deliver(offer);
  for (const page of [user, shop, desk]) {
    await page.reload();
    await expect(current(page)).toContainText('Live (current step)');
    await expect(current(page)).toContainText('Review ends');
    await expect(progress(page)).toContainText('Accepted (done)');
  }
  for (const secret of ['73.51', buyer.email]) expect(withoutTimes(await shop.content())).not.toContain(secret);
  for (const secret of ['36.75', seller.email]) expect(withoutTimes(await user.content())).not.toContain(secret);
});

test('a refused order says so, and the dialogs of the lists lead to the page @full', async ({ browser }) => {
  test.setTimeout(180_000);
  const buyer = await makeAccount();
  const offer = await makeOffer(2_000, {}, { buyer });
  await decline(offer);
  const user = await openAs(browser, 'user', buyer, offer.id);
  await expect(progress(user).getByRole('listitem')).toHaveText([
    /^Ordered \(done\)/,
    /^Declined \(not completed\)/,
    /^Refunded \(done\)/,
  ]);
  await user.goto(`/user/orders?order=${offer.id}`);
  await user.getByRole('dialog').getByRole('link', { name: 'Open order' }).click();
  await user.waitForURL(`**/user/orders/${offer.id}`);
  await expect(progress(user)).toBeVisible();

  const staffOrder = await spendForStaff();
  const desk = await openAs(browser, 'admin', await makeAccount({ role: 'Admin' }), staffOrder);
  await expect(current(desk)).toContainText('Accepted (current step)');
  await desk.goto(`${portals.admin}?order=${staffOrder}`);
  await desk.getByRole('dialog').getByRole('link', { name: 'Open order page' }).click();
  await desk.waitForURL(`**${portals.admin}/${staffOrder}`);
});

async function spendForStaff(): Promise<number> {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 1_000);
  return spendMoney(buyer, 1_000);
}
