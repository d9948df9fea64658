import { expect, type Page, type Route } from '@playwright/test';
import { inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { siteMarks } from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { countCartSites } from '@/lib/orders/carts/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite, withFacts } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { openCart } from './open-cart';
import { payButton } from './pay-button';
import { signIn, signInAs } from './sign-in';
import { expecting, test } from './watched-test';

/** Every site of a test has this word in its name, so that a search finds exactly them. */
let word: string;
let buyer: Actor;
let seller: Actor;

test.beforeEach(async () => {
  word = `m${newId().slice(-10)}`;
  [buyer, seller] = await Promise.all([makeAccount(), makeUser('Seller')]);
});

const site = (name: string, priceCents: number, values: Parameters<typeof makeSite>[2] = {}) =>
  makeSite(seller.userId, priceCents, { name: `${word} ${name}`, ...values });

const rows = (page: Page) => page.getByRole('table', { name: 'Sites' }).locator('tbody tr');
const names = (page: Page) => rows(page).locator('td.website > :first-child').allTextContents();
/** The names in the list, without the test's word. */
async function expectSites(page: Page, expected: string[]) {
  await expect.poll(async () => (await names(page)).map((name) => name.replace(`${word} `, ''))).toEqual(expected);
}
async function open(page: Page, query = '') {
  await page.goto(`/user/marketplace?q=${word}${query}`);
}
const choose = (page: Page, label: string, value: string) =>
  page.getByRole('main').getByLabel(label, { exact: true }).selectOption(value);

test('the URL holds filters, order, tab and page, Back restores them, and the first paint has the rows', async ({
  page,
  request,
}) => {
  await Promise.all([
    site('one', 10_000, { dr: 10, tatDays: 2, niche: 'Technology', followType: 'NoFollow' }),
    site('two', 20_000, { dr: 50, tatDays: 5, niche: 'Technology', country: 'Germany', language: 'German' }),
    site('three', 30_000, { dr: 70, tatDays: 9, niche: 'Travel' }),
    site('elsewhere', 500, { postType: 'Homepage links' }),
  ]);
  await signIn(page, 'user', buyer.email);
  await open(page);
  await expectSites(page, ['one', 'two', 'three']);
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const html = await (await request.get(`/user/marketplace?q=${word}`, { headers: { cookie } })).text();
  expect(html.slice(0, html.indexOf('</tbody>'))).toContain(`${word} three`);

  await page.getByRole('button', { name: 'Niche: All niches' }).click();
  const technology = page.getByRole('menuitemcheckbox', { name: /^Technology/ });
  // The number of sites that the list would have.
  await expect(technology).toHaveText('Technology2 sites');
  await technology.click();
  await expectSites(page, ['one', 'two']);
  await expect(page).toHaveURL(/niche=Technology/);
  await page.getByRole('menuitemcheckbox', { name: /^Travel/ }).click();
  await expectSites(page, ['one', 'two', 'three']);
  await expect(page).toHaveURL(/niche=Technology&niche=Travel/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Niche: Technology, Travel' })).toBeFocused();
  await page.goBack();
  await expectSites(page, ['one', 'two']);
  await choose(page, 'Link', 'NoFollow');
  await expectSites(page, ['one']);
  await page.goBack();
  await expectSites(page, ['one', 'two']);
  await page.getByRole('link', { name: 'Remove Niche: Technology' }).click();
  await expectSites(page, ['one', 'two', 'three']);

  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('DR from').fill('40');
  await page.getByLabel('Turnaround to').fill('7');
  // Without a button: both changes are applied after a pause, or by leaving the field.
  await expectSites(page, ['two']);
  await expect(page).toHaveURL(/minDr=40.*maxTat=7/);
  await expect(page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')).toHaveText([
    'Remove DR from 40',
    'Remove Turnaround up to 7 days',
  ]);
  const slider = page.getByRole('slider', { name: 'DR, minimum' });
  await expect(slider).toHaveAttribute('aria-valuetext', '40');
  await slider.press('Home');
  await expect(page.getByLabel('DR from')).toHaveValue('');
  await expect(page).not.toHaveURL(/minDr=/);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/user\/marketplace\?sort=price$/);

  await open(page, '&rows=10');
  await page.getByRole('columnheader', { name: 'DR' }).getByRole('link').click();
  await expectSites(page, ['three', 'two', 'one']);
  await expect(page.getByRole('columnheader', { name: 'DR' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/rows=10/);
  await page.getByRole('link', { name: 'Homepage links' }).click();
  await expectSites(page, ['elsewhere']);
});

test('a preset sets several filters at once, and removes them again @full', async ({ page }) => {
  await Promise.all([
    site('strong', 5_000, { dr: 60, traffic: 1_000 }),
    site('dear', 20_000, { dr: 80, traffic: 900_000 }),
    site('weak', 4_000, { dr: 20, traffic: 100 }),
  ]);
  await signIn(page, 'user', buyer.email);
  await open(page);
  const presets = page.getByRole('list', { name: 'Presets' });
  const preset = presets.getByRole('link', { name: 'DR 40+, under $100' });
  await preset.click();
  await expectSites(page, ['strong']);
  await expect(preset).toHaveAttribute('aria-current', 'true');
  await preset.click();
  await expectSites(page, ['weak', 'strong', 'dear']);
  await presets.getByRole('link', { name: 'Best value first' }).click();
  // DR times the magnitude of the traffic for the price: 60 × 3 / 50, 80 × 6 / 200, 20 × 2 / 40.
  await expectSites(page, ['strong', 'dear', 'weak']);
});

test('changes that follow each other before the server responds are all kept', async ({ page }) => {
  await Promise.all([
    site('one', 5_000, { dr: 10, niche: 'Technology' }),
    site('two', 5_000, { dr: 60, niche: 'Technology' }),
    site('three', 6_000, { dr: 60, niche: 'Travel' }),
  ]);
  await signIn(page, 'user', buyer.email);
  await open(page);
  await page.route(/[?&]_rsc=/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.getByRole('button', { name: 'Niche: All niches' }).click();
  await page.getByRole('menuitemcheckbox', { name: /^Technology/ }).click();
  await page.keyboard.press('Escape');
  const presets = page.getByRole('list', { name: 'Presets' });
  await presets.getByRole('link', { name: 'DR 40+, under $100' }).click();
  await expectSites(page, ['two']);
  await expect(page).toHaveURL(/niche=Technology.*minDr=40/);

  // A menu item runs after its menu has closed.
  await page.getByRole('button', { name: 'Niche: Technology' }).click();
  await page.getByRole('menuitemcheckbox', { name: /^Travel/ }).click();
  await page.getByRole('menuitem', { name: 'All niches' }).click();
  await expect(page).not.toHaveURL(/niche=/);
  await expectSites(page, ['two', 'three']);
  await expect(page.getByRole('button', { name: 'Niche: All niches' })).toBeVisible();

  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('DR to').fill('50');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/user\/marketplace\?sort=price$/);
  await expect(page.getByLabel('DR to')).toHaveValue('');
});

test('closing Build Custom drops a filter that was just typed @full', async ({ page }) => {
  await site('one', 5_000, { dr: 10 });
  await signInAs(page, 'user', buyer.email, '/user/orders?new=custom');
  const dialog = page.getByRole('dialog', { name: 'Build Custom' });
  await dialog.getByRole('button', { name: 'More filters' }).click();
  await dialog.getByLabel('DR from').fill('5');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.waitForTimeout(1_000);
  await expect(page).toHaveURL(/\/user\/orders$/);
  await expect(dialog).toBeHidden();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  // The browser reports each script that it does not run.
  const noScripts = expecting('csp GET /_next/static/chunks/*');

  test('a form with a submit button has all filters @full', noScripts, async ({ page, browser }) => {
    await Promise.all([
      site('one', 10_000, { dr: 10, niche: 'Technology' }),
      site('two', 20_000, { dr: 50, niche: 'Technology' }),
      site('three', 30_000, { dr: 70, niche: 'Travel' }),
    ]);
    // Signing in needs JavaScript.
    const other = await browser.newContext();
    const signedIn = await other.newPage();
    await signIn(signedIn, 'user', buyer.email);
    await page.context().addCookies(await other.cookies());
    await other.close();
    await open(page, '&sort=dr&order=desc');
    await page.getByRole('link', { name: 'All filters' }).click();
    const form = page.getByRole('form', { name: 'All filters' });
    await form.getByLabel('Niche').selectOption(['Technology', 'Travel']);
    await form.getByLabel('DR at least').fill('40');
    await form.getByRole('button', { name: 'Show sites' }).click();
    await expectSites(page, ['three', 'two']);
    await expect(page).toHaveURL(/niche=Technology&niche=Travel/);
  });
});

test('an empty list suggests which filter to remove', async ({ page }) => {
  await Promise.all([site('one', 10_000, { dr: 10, spam: 1 }), site('two', 20_000, { dr: 20, spam: 30 })]);
  await signIn(page, 'user', buyer.email);
  await open(page, '&minDr=90&maxSpam=5');
  await expect(page.getByText('No matching sites')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Without DR' })).toHaveText('Without DR from 90 1 site');
  await expect(page.getByRole('listitem').filter({ hasText: 'Without Spam' })).toBeHidden();
  await page.getByRole('link', { name: 'Without DR from 90' }).click();
  await expectSites(page, ['one']);
  await open(page, '&page=7');
  await page.getByRole('link', { name: 'Go to the last page' }).click();
  await expectSites(page, ['one', 'two']);
});

test('favourites are stored for one user on every device', async ({ page, browser }) => {
  test.setTimeout(120_000);
  await Promise.all([site('one', 10_000), site('two', 20_000)]);
  await signIn(page, 'user', buyer.email);
  await open(page);
  const star = page.getByRole('button', { name: `Favorite ${word} two` });
  await expect(star).toHaveAttribute('aria-pressed', 'false');
  await star.click();
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await expect(star).toBeFocused();
  await page.getByRole('link', { name: /^Favorites/ }).click();
  await expectSites(page, ['two']);

  const other = await browser.newPage();
  await signIn(other, 'user', buyer.email);
  await open(other, '&show=favourites');
  await expectSites(other, ['two']);
  await other.getByRole('button', { name: `Favorite ${word} two` }).click();
  await expect(other.getByText('No matching sites')).toBeVisible();
  await other.close();

  const stranger = await browser.newPage();
  await signInAs(stranger, 'user', (await makeAccount()).email, '/user/marketplace?show=favourites');
  await expect(stranger.getByText('No favorites of this type yet')).toBeVisible();
  await stranger.close();
});

test('a hidden site leaves the list and the cart, and can be restored at once or later', async ({ page }) => {
  await Promise.all([site('one', 10_000), site('two', 20_000), site('three', 30_000)]);
  await signIn(page, 'user', buyer.email);
  await open(page);
  await page.getByLabel(`Select ${word} two`).check();
  const bar = page.getByRole('region', { name: 'Cart' });
  await expect(bar).toContainText('1 site');
  await rows(page).nth(1).hover();
  await page.getByRole('button', { name: `Hide ${word} two` }).click();
  await expectSites(page, ['one', 'three']);
  await expect(bar).toBeHidden();
  // The focus moves to the row in its place.
  await expect(page.getByRole('button', { name: `Hide ${word} three` })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectSites(page, ['one', 'two', 'three']);

  await page.getByRole('button', { name: `Hide ${word} one` }).focus();
  await page.keyboard.press('Enter');
  await expectSites(page, ['two', 'three']);
  await page.reload();
  await expectSites(page, ['two', 'three']);
  await page.getByRole('link', { name: /^Hidden/ }).click();
  await expectSites(page, ['one']);
  await page.getByRole('button', { name: `Show ${word} one` }).click();
  await expect(page.getByText('No matching sites')).toBeVisible();
  await page.getByRole('link', { name: /^All sites/ }).click();
  await expectSites(page, ['one', 'two', 'three']);
});

test('a mark that cannot be saved shows the reason and changes nothing @full', async ({ page }) => {
  await site('one', 10_000);
  await signIn(page, 'user', buyer.email);
  await open(page);
  const lost = (route: Route) => (route.request().method() === 'POST' ? route.abort() : route.continue());
  await page.route('**/user/marketplace?*', lost);
  const star = page.getByRole('button', { name: `Favorite ${word} one` });
  await star.click();
  await expect(page.getByText('Your change wasn’t saved. Try again.')).toBeVisible();
  await expect(star).toHaveAttribute('aria-pressed', 'false');
  await page.unroute('**/user/marketplace?*', lost);
  await star.click();
  await expect(star).toHaveAttribute('aria-pressed', 'true');
});

test('saved filters are stored by name, applied, replaced and deleted @full', async ({ page }) => {
  await Promise.all([site('one', 10_000, { dr: 10 }), site('two', 20_000, { dr: 60 })]);
  await signInAs(page, 'user', buyer.email, '/user/marketplace');
  const opener = page.getByRole('button', { name: 'Saved filters' });
  const dialog = page.getByRole('dialog', { name: 'Saved filters' });
  await opener.click();
  await expect(dialog).toContainText('No saved filters yet.');
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();

  await open(page, '&minDr=50&page=1&rows=50');
  await opener.click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await expect(dialog.getByLabel('Filter name')).toBeFocused();
  await dialog.getByLabel('Filter name').fill('Strong ones');
  await dialog.getByLabel('Filter name').press('Enter');
  await expect(dialog.getByRole('link', { name: 'Strong ones' })).toContainText('DR from 50');

  await page.goto('/user/marketplace');
  await opener.click();
  await dialog.getByRole('link', { name: 'Strong ones' }).click();
  await expectSites(page, ['two']);
  await expect(dialog).toBeHidden();

  await open(page, '&minDr=5&sort=dr&order=desc');
  await expectSites(page, ['two', 'one']);
  await opener.click();
  await dialog.getByLabel('Filter name').fill('STRONG ones');
  await expect(dialog.getByText('Replaces “Strong ones”.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(dialog.getByRole('link', { name: 'STRONG ones' })).toContainText('DR from 5 · DR, high to low');
  await expect(dialog.getByRole('list', { name: 'Saved filters' }).getByRole('listitem')).toHaveCount(1);

  await dialog.getByRole('button', { name: 'Delete STRONG ones' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Delete the saved filter “STRONG ones”?' });
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await expect(confirm).toBeHidden();
  await expect(dialog.getByRole('list', { name: 'Saved filters' })).toBeHidden();
});

test('columns and view are the same after signing in on another device @full', async ({ page, browser }) => {
  test.setTimeout(120_000);
  await site('one', 10_000, { dr: 10, words: 1_234 });
  await signIn(page, 'user', buyer.email);
  await open(page);
  const words = page.getByRole('columnheader', { name: 'Words', exact: true });
  await expect(words).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  const item = page.getByRole('menuitemcheckbox', { name: 'Words in an article' });
  await item.click();
  await expect(item).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(words).toBeHidden();
  await expect(page.getByText('1,234')).toBeHidden();

  const other = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signIn(other, 'user', buyer.email);
  await open(other);
  await expect(other.getByRole('columnheader', { name: 'TAT' })).toBeVisible();
  await expect(other.getByRole('columnheader', { name: 'Words', exact: true })).toBeHidden();
  await other.getByRole('link', { name: 'Show as cards' }).click();
  await expect(other).toHaveURL(/view=cards/);
  await expect(other.getByRole('columnheader', { name: 'TAT' })).toBeHidden();
  await expect(other.getByText(`${word} one`, { exact: true })).toBeVisible();
  await other.getByRole('button', { name: 'Sort by' }).click();
  await other.getByRole('menuitemradio', { name: 'DR, high to low' }).click();
  await expect(other).toHaveURL(/view=cards.*sort=dr|sort=dr.*view=cards/);
  await other.close();
});

test('a cart is kept over pages and filters, shows its total, and becomes orders', async ({ page }) => {
  test.setTimeout(120_000);
  await fundWallet(buyer.userId, 50_000);
  for (let index = 0; index < 12; index += 1) await site(`${String(index + 1).padStart(2, '0')}`, 1_000 + index);
  await signIn(page, 'user', buyer.email);
  await open(page, '&rows=10');
  await page.getByLabel(`Select ${word} 01`).check();
  await page.getByRole('link', { name: 'Next page' }).click();
  await expectSites(page, ['11', '12']);
  await page.getByLabel('Select all rows of this page').check();
  const bar = page.getByRole('region', { name: 'Cart' });
  await expect(bar).toContainText('3 sites');
  await expect(bar).toContainText('$30.21 of $500.00 in your wallet');
  await expect.poll(() => countCartSites(buyer)).toBe(3);
  await page.reload();
  await expect(bar).toContainText('3 sites');

  const cart = await openCart(page);
  const pay = cart.getByRole('button', { name: payButton });
  await pay.click();
  await expect(cart.getByText('Create a project first.')).toBeVisible();
  await cart.getByRole('button', { name: 'New project' }).click();
  const project = page.getByRole('dialog', { name: 'Create New Project' });
  await project.getByLabel('Domain').fill('shop.example.com');
  await project.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByText('⚠️ Please fill in all required fields before saving.')).toBeVisible();
  await project.getByLabel('Target URL').fill('shop.example.com/spades');
  await project.getByLabel('Description').fill('Garden tools');
  await project.getByLabel('Custom niche').fill('Gardening');
  await project.getByLabel('Post type').selectOption('Guest posts');
  await project.getByLabel('Country').selectOption('USA');
  await project.getByLabel('Keywords').fill('spade, rake');
  await project.getByRole('button', { name: 'Create project' }).click();
  await expect(project).toBeHidden();
  const choice = cart.getByLabel('Project');
  await expect(choice).toHaveValue(/.+/);
  await choice.selectOption('');
  await pay.click();
  await expect(cart.getByText('Select a project.')).toBeVisible();
  await expect(cart.getByRole('alert')).toHaveCount(0);
  await expect(choice).toHaveAttribute('aria-invalid', 'true');
  await expect(choice).toBeFocused();
  await choice.selectOption({ label: 'shop.example.com' });
  await cart.getByRole('button', { name: `Remove ${word} 12` }).click();
  for (const [status, message] of [
    [404, 'Orders endpoint not found on the backend.'],
    [400, 'Failed to add to orders'],
  ] as const) {
    await page.route('**/api/user/carts/*/order', (route) => route.fulfill({ status, body: '' }), { times: 1 });
    await pay.click();
    await expect(cart.getByText(message)).toBeVisible();
  }
  await pay.click();
  await expect(page.getByText('Added to orders successfully.')).toBeVisible();
  await expect(cart.getByText('No site selected.')).toBeVisible();
  const orderedLink = page.getByRole('region', { name: 'Ordered' }).getByRole('link', { name: 'View orders' });
  await expect(orderedLink).toBeFocused();
  await orderedLink.click();
  await page.waitForURL('**/user/orders');
  // Two orders below the header.
  await expect(page.getByRole('row')).toHaveCount(3);
});

test('a page far down is reached from its neighbour, without hidden sites @full', async ({ page }) => {
  test.setTimeout(120_000);
  const ids = await Promise.all(
    Array.from({ length: 15 }, (_, index) => site(String(index).padStart(2, '0'), 1_000 + index)),
  );
  const [first = 0] = ids;
  await db().insert(siteMarks).values({ accountId: buyer.userId, kind: 'hidden', siteId: first });
  await signIn(page, 'user', buyer.email);
  await open(page, '&rows=10&page=2');
  await expectSites(page, ['11', '12', '13', '14']);
  await expect(page.getByText('11–14 of 14')).toBeVisible();
  await page.getByRole('link', { name: 'Previous page' }).click();
  await expectSites(page, ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10']);
});

test('pages far down use cursors, without duplicates or gaps while sites change @full', async ({ page }) => {
  test.setTimeout(180_000);
  const row = (name: string, priceCents: number) =>
    withFacts({
      ...{ ownerId: seller.userId, name: `${word} ${name}`, url: `https://${word}-${name}.example.com` },
      ...{ urlKey: `${word}-${name}.example.com`, status: 'Approved' as const },
      ...{ publicPriceCents: priceCents, publicPriceUsdCents: priceCents },
    });
  const all = Array.from({ length: 1_250 }, (_, index) => String(index).padStart(4, '0'));
  await db()
    .insert(sites)
    .values(all.map((name, index) => row(name, 1_000 + index)));
  const go = (label: string) => page.getByRole('link', { name: label }).click();
  await signIn(page, 'user', buyer.email);
  await open(page, '&rows=100&page=10');
  await expectSites(page, all.slice(900, 1_000));
  await go('Next page');
  await expectSites(page, all.slice(1_000, 1_100));
  await expect(page).toHaveURL(/page=11&cursor=|cursor=.*page=11/);

  // By offset, the next page would begin with seven of this one's.
  await db()
    .insert(sites)
    .values(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => row(name, 500)));
  await go('Next page');
  await expectSites(page, all.slice(1_100, 1_200));

  // By offset, it would omit thirteen.
  const seen = all.slice(0, 20).map((name) => `${word} ${name}`);
  await db().update(sites).set({ deletedAt: new Date() }).where(inArray(sites.name, seen));
  await go('Next page');
  await expectSites(page, all.slice(1_200));
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();

  await go('Previous page');
  await expectSites(page, all.slice(1_100, 1_200));
  await go('Previous page');
  await expectSites(page, all.slice(1_000, 1_100));
  await expect(page).toHaveURL(/cursor=/);
  // Another sort order starts at its first page.
  await page.getByRole('columnheader', { name: 'Price' }).getByRole('link').click();
  await expectSites(page, all.slice(1_150).toReversed());
  expect(page.url()).not.toMatch(/cursor=|page=/);
});

test('on a phone: cards, a filter sheet, a sticky bar and a drawer that fills the screen @phone', async ({ page }) => {
  await Promise.all([
    site('one', 10_000, { dr: 10 }),
    site('two', 20_000, { dr: 60, ownership: 'owner' }),
    site('three', 30_000, { dr: 70 }),
  ]);
  await signIn(page, 'user', buyer.email);
  await open(page);
  await expect(page.getByRole('columnheader', { name: 'Website' })).toBeHidden();
  const opener = page.getByRole('button', { name: /^Filters/ });
  await opener.click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByLabel('DR from').fill('50');
  await sheet.getByLabel('Verified owners only').check();
  await sheet.getByRole('button', { name: 'Show 1 site' }).click();
  await expect(sheet).toBeHidden();
  await expectSites(page, ['two']);
  await page.getByLabel(`Select ${word} two`).check();
  await expect(page.getByRole('region', { name: 'Cart' })).toBeInViewport();
  await page.getByRole('button', { name: `Favorite ${word} two` }).click();
  await expect(page.getByRole('button', { name: `Favorite ${word} two` })).toHaveAttribute('aria-pressed', 'true');
  await expect(opener).toHaveText('Filters2 active');
  await opener.click();
  await sheet.getByRole('link', { name: 'Clear filters' }).click();
  await expectSites(page, ['one', 'two', 'three']);
  await page.getByRole('link', { name: `${word} one`, exact: true }).click();
  const drawer = page.getByRole('dialog', { name: `${word} one` });
  const { width, height } = page.viewportSize() ?? {};
  await expect.poll(() => drawer.boundingBox()).toEqual({ x: 0, y: 0, width, height });
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(drawer).toBeHidden();
});
