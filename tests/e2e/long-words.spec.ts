import { expect, type Locator, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { newId } from '@/lib/ids';
import { attachContent } from '@/lib/orders/deliverables/content';
import { updateOrder } from '@/lib/orders/order/update';
import { fileOf } from '@/tests/factories/file-of';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeRole } from '@/tests/factories/make-staff';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectNothingTooWide } from './expect-no-violation';
import { signIn, signInAs } from './sign-in';
import { test } from './watched-test';

const word = 'w'.repeat(600);
const googleDoc = `https://docs.google.com/document/d/${'1aB2cD3eF4'.repeat(8)}/edit?usp=sharing&ouid=${'9'.repeat(60)}`;

/** A clipping container hides overflow from the page's own width, so the boxes are compared. */
async function expectInside(inner: Locator, frame: Locator) {
  const [box, limits] = [await inner.boundingBox(), await frame.boundingBox()];
  if (!box || !limits) throw new Error('Not on the screen.');
  expect(box.width).toBeGreaterThan(0);
  expect(box.x).toBeGreaterThanOrEqual(limits.x);
  expect(box.x + box.width).toBeLessThanOrEqual(limits.x + limits.width);
}

async function expectNoneClipped(frame: Locator) {
  const wide = await frame.evaluate((element) =>
    [element, ...element.querySelectorAll('.dialog-body')].map((part) => part.scrollWidth - part.clientWidth),
  );
  expect(wide.filter((overflow) => overflow > 0)).toEqual([]);
}

async function makeDeliveredOrder() {
  const admin = await makeAccount({ role: 'Admin' });
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 1_000);
  const id = await spendMoney(buyer, 1_000);
  await db()
    .update(orders)
    .set({ projectKeywords: `${word}, spade`, projectTargetUrl: googleDoc })
    .where(eq(orders.id, id));
  await attachContent(admin, id, fileOf('pdf'), `${'n'.repeat(150)}.pdf`);
  await updateOrder(admin, id, { linkUrl: googleDoc, adminComments: `Read ${googleDoc}\n${word}` });
  return { admin, buyer, id };
}

test('link and file stay reachable for a buyer next to long words @both-full', async ({ page }) => {
  const { buyer, id } = await makeDeliveredOrder();
  await signInAs(page, 'user', buyer.email, `/user/orders?order=${id}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expectInside(dialog.getByRole('link', { name: 'Download' }), dialog);
  await expectInside(dialog.getByRole('region', { name: 'Delivery' }).getByRole('link').first(), dialog);
  await expectNoneClipped(dialog);
});

test('the admin order list shows both columns next to long words @both-full', async ({ page }) => {
  const { admin, id } = await makeDeliveredOrder();
  await signInAs(page, 'admin', admin.email, `/dashboard/features/orders?order=${id}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expectInside(dialog.getByRole('link', { name: 'Download' }), dialog);
  await expectInside(dialog.getByRole('list', { name: 'Timeline' }), dialog);
  await expectNoneClipped(dialog);
});

test('projects with long words fit their paginated list @both-full', async ({ page }) => {
  const buyer = await makeAccount();
  for (let count = 0; count < 25; count++) await makeProject(buyer, { domain: `plain-${count}.example.com` });
  await makeProject(buyer, {
    domain: `${'d'.repeat(63)}.${'e'.repeat(63)}.example.com`,
    description: word,
    niche: '🌱'.repeat(30),
    country: 'C'.repeat(100),
    keywords: `${'k'.repeat(1_000)}, spade`,
    targetUrl: googleDoc,
  });
  await signInAs(page, 'user', buyer.email, '/user/projects');
  const long = page.getByRole('row').filter({ hasText: 'dddd' }).first();
  await expectInside(long.getByRole('button', { name: /^Actions for / }), page.getByRole('main'));
  await expectInside(long.getByText('kkkk').first(), page.getByRole('main'));
  await expect(page.getByText('1–25 of 26')).toBeVisible();
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page.getByText('26–26 of 26')).toBeVisible();
  await page.goto('/user/projects?page=9');
  await page.getByRole('link', { name: 'Go to the last page' }).click();
  await expect(page).toHaveURL(/page=2/);
  await shown(page, 'plain-0.example.com');
});

test('a role with the longest name fits every screen that shows it @both @full', async ({ page }) => {
  const role = await makeRole(['AdminDashboard'], `R${newId()}`.padEnd(60, 'w'));
  const person = await makeAccount({ role });
  await signIn(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  for (const path of [
    'access-control',
    `access-control?role=${role}`,
    `users?q=${person.email}`,
    `users/${person.userId}`,
    `users?user=${person.userId}`,
    `wallet-manager?q=${person.email}`,
  ]) {
    await page.goto(`/dashboard/features/${path}`);
    await expect(
      page
        .getByText(role)
        .or(page.getByRole('option', { name: role }))
        .first(),
    ).toBeAttached();
    await expectNothingTooWide(page);
  }
});

const shown = (page: Page, text: string) =>
  expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();

test('a very long name is cut in lists, and whole on hover and on keyboard focus @full', async ({ page }) => {
  const [buyer, seller] = [await makeAccount(), await makeAccount({ role: 'Seller' })];
  const name = `${newId().toLowerCase()} ${'long name '.repeat(18)}end`;
  await makeSite(seller.userId, 1_000, { name, niche: 'n'.repeat(120), country: 'c'.repeat(80) });
  const tooltip = page.locator('[data-tooltip-panel]');

  await signInAs(page, 'user', buyer.email, `/user/marketplace?q=${encodeURIComponent(name.slice(0, 30))}`);
  const row = page.getByRole('row').filter({ hasText: name.slice(0, 26) });
  const box = await row.boundingBox();
  expect(box?.height).toBeLessThan(90);
  await page.mouse.move(1, 1);
  await row.getByText(name).hover();
  await expect(tooltip).toHaveText(name);
  await page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();

  await signInAs(page, 'seller', seller.email, '/seller/my-sites');
  await page.getByLabel('Search your sites').first().focus();
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(tooltip).toHaveText(name, { timeout: 500 });
  }).toPass();
  await expectNothingTooWide(page);
});
