import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { bulkSites } from '@/lib/sites/bulk';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { accept } from '@/tests/setup/placement-verbs';
import { publishPage } from '@/tests/setup/publisher';
import { expectNothingTooWide, expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

/** A signed-in seller; `mark` creates names that no other test uses. */
async function openPortal(page: Page) {
  const seller = await makeAccount({ role: 'Seller' });
  await signInAs(page, 'seller', seller.email);
  return { seller, mark: newId().toLowerCase() };
}
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const csv = (text: string, name = 'sites.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('the dashboard guides a new seller to a site and an order, and shows only what was measured @both-full', async ({
  page,
}) => {
  const { seller } = await openPortal(page);
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps).toContainText('1 of 5 done');
  await expect(steps.getByRole('link', { name: 'Add or import sites' })).toHaveAttribute('href', '/seller/my-sites');
  await expect(page.getByRole('main')).toContainText('no answers in the last 90 days');
  await expectNoViolation(page);
  await expectNothingTooWide(page);
  await makeSite(seller.userId, 4_000);
  await page.reload();
  await expect(steps).toContainText('3 of 5 done');
  await expect(steps.getByRole('link')).toHaveText(['Set a payout method', 'View new orders']);
  const offer = await makeOffer(4_000, {}, { seller });
  await accept(offer);
  await page.reload();
  await expect(steps).toContainText('4 of 5 done');
  await expect(page.getByRole('link', { name: /^Offers ?1 ?1 accepted in 90 days/ })).toBeVisible();
  await expect(page.getByText('median of the last 90 days')).toBeVisible();
});

test('a seller proves the domain of a site', async ({ page }) => {
  const { seller } = await openPortal(page);
  await makeSite(seller.userId, 4_000, { name: 'Proof Weekly' });
  await page.goto('/seller/my-sites');
  await page.getByRole('link', { name: 'Prove your site: Proof Weekly' }).click();
  const dialog = page.getByRole('dialog');
  const file = dialog.getByRole('region', { name: 'File' });
  await expect(file.locator('code')).toHaveCount(2);
  const [url = '', line = ''] = await file.locator('code').allTextContents();
  await dialog.getByRole('button', { name: 'Check now' }).click();
  await expect(file).toContainText(`${url} answered with the status 404.`);
  await expectNoViolation(page);
  await publishPage({ url, html: line });
  await dialog.getByRole('button', { name: 'Check now' }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'is proved' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('link', { name: /^Verified owner: File, since .*: Proof Weekly$/ })).toBeVisible();
});

test('a seller edits a site, and withdraws it', async ({ page }) => {
  const { seller } = await openPortal(page);
  await makeSite(seller.userId, 4_000, { name: 'Garden Weekly', status: 'Pending' });
  await page.goto('/seller/my-sites');
  const row = rowOf(page, 'Garden Weekly');
  await page.getByRole('link', { name: 'Edit Garden Weekly' }).click();
  const edit = page.getByRole('dialog');
  await expect(edit).toContainText('We haven’t reviewed this site yet.');
  await edit.getByLabel('Your price').fill('99');
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await expect(edit).toBeHidden();
  await expect(row).toContainText('$99.00');

  await page.getByRole('link', { name: 'Edit Garden Weekly' }).click();
  await edit.getByRole('button', { name: 'Withdraw' }).click();
  const confirm = page.getByRole('alertdialog');
  await expect(confirm).toContainText('Withdraw the site “Garden Weekly”?');
  await confirm.getByRole('button', { name: 'Withdraw site' }).click();
  await expect(page.getByText('No sites yet.')).toBeVisible();
});

test(
  'a seller changes prices of every site in one step after a preview, and takes a holiday',
  expecting('409 POST /api/seller/sites/bulk'),
  async ({ page }) => {
    const { seller } = await openPortal(page);
    for (const name of ['Bulk Daily', 'Bulk Weekly', 'Bulk Yearly']) await makeSite(seller.userId, 4_000, { name });
    await page.goto('/seller/my-sites?rows=25');
    await page.getByRole('checkbox', { name: 'Select every site on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await expect(bar).toContainText('3 sites selected');
    await bar.getByRole('button', { name: 'Change price' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Percent or amount').fill('12.5');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('3 sites of 3 will change.')).toBeFocused();
    await expect(dialog.getByRole('row', { name: 'Bulk Daily $20.00, Approved $22.50, Pending' })).toBeVisible();
    await expect(dialog).toContainText('3 sites will return to review');
    await expectNoViolation(page);
    await db().update(sites).set({ version: 7 }).where(eq(sites.ownerId, seller.userId));
    await dialog.getByRole('button', { name: 'Change 3 sites' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Your sites changed since this preview. Nothing was saved.');
    await dialog.getByRole('button', { name: 'Change 3 sites' }).click();
    await expect(page.getByText('3 sites changed.')).toBeVisible();
    await expect(rowOf(page, 'Bulk Yearly')).toContainText(/\$22\.50.*Pending/);
    await expect(bar).toBeHidden();

    await page.getByRole('button', { name: 'Actions for Bulk Daily' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await expect(rowOf(page, 'Bulk Daily')).toContainText('Paused');
    await page.getByRole('button', { name: 'Actions for Bulk Daily' }).click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await expect(rowOf(page, 'Bulk Daily')).not.toContainText('Paused');
  },
);

test('a stale edit of a site shows a message and keeps the input @full', async ({ page }) => {
  const { seller } = await openPortal(page);
  const id = await makeSite(seller.userId, 4_000, { name: 'Stale Post', status: 'Pending' });
  await page.goto(`/seller/my-sites?site=${id}`);
  const edit = page.getByRole('dialog');
  await edit.getByLabel('Your price').fill('33');
  await bulkSites(await makeUser('Admin'), { ids: [id], change: { kind: 'approve' } });
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await expect(edit.getByRole('alert')).toContainText('Stale Post was changed by another user in the meantime');
  await expect(edit.getByLabel('Your price')).toHaveValue('33');
  const [site] = await db().select().from(sites).where(eq(sites.id, id));
  expect(site).toMatchObject({ status: 'Approved', sellerPriceCents: 2_000 });
});

test("the bell shows the review's decision until it is read, and a site can be reopened by its URL", async ({
  page,
}) => {
  const { seller } = await openPortal(page);
  const id = await makeSite(seller.userId, 4_000, { name: 'Bell Tower News', status: 'Pending' });
  const other = await makeSite(seller.userId, 4_000, { name: 'Crow Post', status: 'Pending' });
  await bulkSites(await makeUser('Admin'), { ids: [id, other], change: { kind: 'approve' } });
  await page.reload();
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  const news = page.getByRole('link', { name: /Bell Tower News and 1 more were approved/ });
  await expect(news).toBeVisible();
  // Opening the bell marks nothing as read.
  await page.reload();
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await news.click();
  await page.waitForURL('**/seller/my-sites?status=Approved');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible({ timeout: 2_000 });
  }).toPass();

  // Closed and reopened at once, before the URL is updated.
  for (let round = 0; round < 3; round += 1) {
    await page.getByRole('link', { name: 'Edit Crow Post' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
  }
  await page.getByRole('link', { name: 'Edit Crow Post' }).click();
  await expect(page.getByRole('dialog', { name: /Edit Crow Post/ })).toBeVisible();
});

test("the top bar searches the seller's sites, and shows help @full", async ({ page }) => {
  const { seller } = await openPortal(page);
  await makeSite(seller.userId, 4_000, { name: 'Needle Post', country: 'Chile' });
  await makeSite(seller.userId, 4_000, { name: 'Hay Post' });
  await page.getByPlaceholder('Search your sites…').fill('chile');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/seller/my-sites?q=chile');
  await expect(rowOf(page, 'Needle Post')).toBeVisible();
  await expect(rowOf(page, 'Hay Post')).toHaveCount(0);
  await page.getByRole('button', { name: 'Support' }).click();
  await expect(page.getByText('How long is a site Pending?')).toBeVisible();
});

test(
  'a CSV is previewed, its columns mapped, its rejected rows downloaded, and the rest imported',
  expecting('400 POST /api/seller/sites/upload'),
  async ({ page }) => {
    const { seller, mark } = await openPortal(page);
    await page.goto('/seller/my-sites');
    await page.getByRole('button', { name: 'Upload CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Upload CSV' });

    const template = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download the template' }).click();
    expect(await readFile(await (await template).path(), 'utf8')).toContain('Website URL,Name,DR,DA,Traffic');

    await dialog.getByLabel('CSV file').setInputFiles(csv('PK\u0003\u0004 not text'));
    await expect(dialog.getByRole('alert')).toContainText('❌ Upload failed: This is a ZIP archive');

    const rows = [
      'Blog;DR;Visits a month;Preis;Contact',
      `one-${mark}.example;41,5;12.400;"1.200,50 €";ann@example.com`,
      `two-${mark}.example;12;900;35,-;=HYPERLINK("x")`,
      'nowhere;1;2;3;=1+1',
      `three-${mark}.example;much;2;3;`,
      `www.one-${mark}.example/;41,5;12.400;1;`,
    ].join('\r\n');
    await dialog.getByLabel('CSV file').setInputFiles(csv(`\uFEFF${rows}`));
    await expect(dialog.getByText('Which column contains the URL?')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Nothing to import' })).toBeDisabled();
    await dialog.getByLabel('Field for Blog').selectOption('URL');
    await dialog.getByLabel('Field for Visits a month').selectOption('Traffic');
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await expect(dialog.getByRole('button', { name: 'Import 2 sites' })).toBeEnabled();
    await expect(dialog.getByText('Row 4')).toBeVisible();
    await expect(dialog.getByText('“much” is not a number: enter DR as 0–100.')).toBeVisible();
    expect(await db().$count(sites, eq(sites.ownerId, seller.userId))).toBe(0);

    const rejected = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download rejected rows' }).click();
    const saved = await rejected;
    expect(saved.suggestedFilename()).toBe('rejected-sites.csv');
    const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain("'=1+1,4,Blog,");

    await dialog.getByRole('button', { name: 'Import 2 sites' }).click();
    await expect(dialog.getByText('✅ CSV uploaded.')).toBeVisible();
    await expect(dialog.getByText('Inserted: 2, Duplicates: 1, Skipped: 2')).toBeVisible();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await expect(rowOf(page, `one-${mark}.example`)).toContainText(/41\.5 \/ –.*12,400.*€1,200\.50.*Pending/);
  },
);

test('an import retried after a lost response has the same idempotency key @full', async ({ page }) => {
  const { seller, mark } = await openPortal(page);
  await page.goto('/seller/my-sites');
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload CSV' });
  await dialog.getByLabel('CSV file').setInputFiles(csv(`URL,Price\nlost-${mark}.example,10\n`));
  // The API tests check how the server treats a repeated key.
  const keys: (string | undefined)[] = [];
  await page.route(/\/api\/seller\/sites\/upload\?mode=import/, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length === 1) await route.abort();
    else await route.continue();
  });
  await dialog.getByRole('button', { name: 'Import 1 site' }).click();
  await expect(dialog.getByRole('alert')).toContainText('❌ Upload failed: Unexpected error');
  await dialog.getByRole('button', { name: 'Import 1 site' }).click();
  await expect(dialog.getByText('Inserted: 1, Duplicates: 0, Skipped: 0')).toBeVisible();
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(await db().$count(sites, eq(sites.ownerId, seller.userId))).toBe(1);
});

test('on a phone a site is a card, and the import fits', { tag: '@phone' }, async ({ page }) => {
  const { seller, mark } = await openPortal(page);
  await makeSite(seller.userId, 4_000, { name: 'Pocket Post' });
  await page.goto('/seller/my-sites');
  await expect(rowOf(page, 'Pocket Post')).toContainText('$20.00');
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload CSV' });
  await dialog.getByLabel('CSV file').setInputFiles(csv(`URL,Unheard of\nphone-${mark}.example,x\n`));
  await expect(dialog.getByLabel('Field for Unheard of')).toBeVisible();
  await expectNothingTooWide(page);
});
