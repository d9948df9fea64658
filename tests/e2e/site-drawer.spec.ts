import { expect, type Page } from '@playwright/test';
import { db } from '@/db/client';
import { siteMarks } from '@/db/schema/site-preferences';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { payButton } from './pay-button';
import { signIn } from './sign-in';
import { test } from './watched-test';

/** Every site of a test has this word in its name, so that a search finds exactly them. */
let word: string;
let buyer: Actor;
let seller: Actor;

test.beforeEach(async () => {
  word = `d${newId().slice(-10)}`;
  [buyer, seller] = await Promise.all([makeAccount(), makeUser('Seller', { name: 'Secretive Owner' })]);
});

const site = (name: string, priceCents: number, values: Parameters<typeof makeSite>[2] = {}) =>
  makeSite(seller.userId, priceCents, { name: `${word} ${name}`, ...values });
const drawerOf = (page: Page, name: string) => page.getByRole('dialog', { name: `${word} ${name}` });
const open = (page: Page, query = '') => page.goto(`/user/marketplace?q=${word}${query}`);

test('a row opens the drawer of its site, whose URL can be reloaded, shared and left with Back', async ({ page }) => {
  await site('one', 10_000, {
    url: `https://${word}.example.com`,
    dr: 41,
    traffic: 1_200,
    ownership: 'owner',
    samplePosts: `https://${word}.example.com/a-post`,
    rules: 'No <b>casinos</b>.\nTwo links.',
    sellerPriceCents: 71_317,
  });
  const other = await site('two', 20_000, { dr: 44 });
  await signIn(page, 'user', buyer.email);
  await open(page);
  const row = page.getByRole('link', { name: `${word} one`, exact: true });
  await row.click();
  const drawer = drawerOf(page, 'one');
  await expect(drawer).toBeVisible();
  await expect(page).toHaveURL(/site=\d+/);
  await expect(drawer.getByRole('region', { name: 'Figures' })).toContainText(
    /DR41typed by the seller, \w{3} \d{1,2}, \d{4}Traffic1,200typed by the seller/,
  );
  await expect(drawer).toContainText('Verified owner');
  await expect(drawer.getByRole('region', { name: 'Rules' })).toContainText('No <b>casinos</b>.');
  const sample = drawer.getByRole('link', { name: `${word}.example.com/a-post` });
  await expect(sample).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(drawer.getByRole('region', { name: 'Placement' })).toContainText('3 days');
  expect(await page.content()).not.toMatch(/713\.17|71317|Secretive Owner/);

  await page.reload();
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(row).toBeFocused();
  await expect(page).not.toHaveURL(/site=/);
  await row.click();
  await expect(drawer).toBeVisible();
  await page.goBack();
  await expect(drawer).toBeHidden();

  // A link opens a site that its list does not have.
  await page.goto(`/user/marketplace?q=nosuchword&site=${other}`);
  await expect(drawerOf(page, 'two')).toBeVisible();
  await page.goto('/user/marketplace?site=2000000000');
  await expect(page.getByRole('dialog', { name: 'No such site' })).toBeVisible();
});

test('the arrow keys and the buttons browse the list, also over the ends of its pages', async ({ page }) => {
  test.setTimeout(120_000);
  for (let index = 0; index < 12; index += 1) await site(String(index + 1).padStart(2, '0'), 1_000 + index);
  await signIn(page, 'user', buyer.email);
  await open(page, '&rows=10');
  await page.getByRole('link', { name: `${word} 09`, exact: true }).click();
  await expect(drawerOf(page, '09')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(drawerOf(page, '10')).toBeVisible();
  await drawerOf(page, '10').getByRole('button', { name: 'Next site' }).click();
  await expect(drawerOf(page, '11')).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
  await page.keyboard.press('ArrowDown');
  const last = drawerOf(page, '12');
  await expect(last).toBeVisible();
  await expect(last.getByRole('button', { name: 'Next site' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('ArrowUp');
  await expect(drawerOf(page, '11')).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(drawerOf(page, '10')).toBeVisible();
  await expect(page).not.toHaveURL(/page=/);
  // Browsing replaces the entry of the history: Back closes the drawer.
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('link', { name: `${word} 01`, exact: true })).toBeVisible();
});

test('the drawer adds its site to the cart of the project, and orders it without the cart', async ({ page }) => {
  await Promise.all([site('one', 10_000), site('two', 20_000), makeProject(buyer), fundWallet(buyer.userId, 50_000)]);
  const projectId = await makeProject(buyer, { domain: 'blog.example.net' });
  await signIn(page, 'user', buyer.email);
  await open(page);
  const [box, other] = [page.getByLabel(`Select ${word} one`), page.getByLabel(`Select ${word} two`)];
  const cart = page.getByRole('region', { name: 'Cart' });
  const drawer = drawerOf(page, 'one');
  await other.check();
  await expect(cart).toContainText('1 site');
  // Each project has its cart.
  await page.getByLabel('Project', { exact: true }).selectOption({ label: 'blog.example.net' });
  await expect(other).not.toBeChecked();
  await expect(cart).toHaveCount(0);
  await other.check();
  await page.getByRole('link', { name: `${word} one`, exact: true }).click();
  await drawer.getByRole('button', { name: 'Add to cart' }).click();
  await drawer.getByRole('button', { name: 'In cart, remove' }).click();
  await expect(drawer.getByRole('button', { name: 'Add to cart' })).toBeVisible();
  // The link orders this site alone, and Cancel leaves no trace of it.
  const order = drawer.getByRole('link', { name: 'Order · $100.00' });
  await order.click();
  await page.waitForURL(`**/user/cart?site=*&project=${projectId}`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await order.click();
  await page.getByRole('button', { name: payButton }).click();
  await expect(page.getByText('Added to orders successfully.')).toBeVisible();
  await open(page);
  await expect(box).not.toBeChecked();
  await expect(other).toBeChecked();
  await expect(cart).toContainText('1 site');
});

test('a similar site opens in place of the first, also one that the buyer has hidden @full', async ({ page }) => {
  const niche = `Niche ${word}`;
  const ids = await Promise.all([
    site('one', 10_000, { niche, dr: 50 }),
    site('alike', 10_500, { niche, dr: 52 }),
    site('unlike', 90_000, { niche, dr: 5 }),
  ]);
  await db().insert(siteMarks).values({ accountId: buyer.userId, kind: 'hidden', siteId: ids[1] });
  await signIn(page, 'user', buyer.email);
  await open(page);
  await page.getByRole('link', { name: `${word} one`, exact: true }).click();
  const similar = drawerOf(page, 'one').getByRole('region', { name: 'Similar sites' });
  await expect(similar.getByRole('listitem')).toHaveText([/alike.*\$105\.00.*DR 52/]);
  await similar.getByRole('link').click();
  await expect(drawerOf(page, 'alike')).toBeVisible();
});
