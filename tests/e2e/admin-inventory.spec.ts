import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { nicheProposals } from '@/db/schema/taxonomy';
import { newId } from '@/lib/ids';
import { updateSiteBody } from '@/lib/sites/edit-schemas';
import { updateSite } from '@/lib/sites/update';
import { nicheKey } from '@/lib/taxonomy/contract';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const path = '/dashboard/features/guest-posts';
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const siteOf = async (id: number) => (await db().select().from(sites).where(eq(sites.id, id)))[0];

/** A signed-in admin, and three sites of one seller that `q=${mark}` finds. */
async function openSites(page: Page) {
  const [admin, seller] = [await makeAccount({ role: 'Admin' }), await makeUser('Seller')];
  const mark = newId().toLowerCase();
  const unpriced = {
    status: 'Pending',
    sellerPriceCents: 4_000,
    publicPriceCents: null,
    adminPriceCents: null,
  } as const;
  const ids: number[] = [];
  for (const name of [`Ant ${mark}`, `Bee ${mark}`, `=Cicada() ${mark}`]) {
    ids.push(await makeSite(seller.userId, 8_000, { ...unpriced, publicPriceUsdCents: null, name }));
  }
  await signInAs(page, 'admin', admin.email, `${path}?q=${mark}`);
  await expect(rowOf(page, `Ant ${mark}`)).toBeVisible();
  return { admin, mark, ids };
}

test('staff price selected sites by margin, approve, reject and delete them', async ({ page }) => {
  const { mark, ids } = await openSites(page);
  const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name} ${mark}` }).check();
  const bar = page.getByRole('region', { name: 'Selection' });

  await page.getByRole('checkbox', { name: 'Select every site on this page' }).check();
  await expect(bar).toContainText('3 sites selected');
  await bar.getByRole('button', { name: 'Set price' }).click();
  const margin = page.getByRole('dialog', { name: 'Price 3 sites by margin' });
  await margin.getByLabel('Margin').clear();
  await margin.getByLabel('Margin').pressSequentially('many');
  await margin.getByRole('button', { name: 'Set price' }).click();
  await expect(margin.getByText('“many” is not a number: enter Margin as 0–1,000.', { exact: true })).toBeVisible();
  await margin.getByLabel('Margin').fill('12.5');
  await margin.getByRole('button', { name: 'Set price' }).click();
  await expect(rowOf(page, `Ant ${mark}`)).toContainText(/\$40\.00.*\$45\.00/);

  await tick('Ant');
  await bar.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  await expect(rowOf(page, `Ant ${mark}`)).toContainText('Approved');
  await tick('Bee');
  await bar.getByRole('button', { name: 'Reject' }).click();
  const rejection = page.getByRole('dialog', { name: 'Reject 1 site?' });
  await rejection.getByRole('button', { name: 'Reject' }).click();
  await expect(rejection.getByText('Choose a reason.', { exact: true })).toBeVisible();
  await rejection.getByLabel('Reason').selectOption('Another reason');
  await rejection.getByRole('button', { name: 'Reject' }).click();
  await expect(rejection.getByText('Write the reason.', { exact: true })).toBeVisible();
  await rejection.getByLabel('Note to the seller').fill('The site moved.');
  await rejection.getByRole('button', { name: 'Reject' }).click();
  await expect(rowOf(page, `Bee ${mark}`)).toContainText('Rejected');
  expect(await siteOf(ids[1] ?? 0)).toMatchObject({ rejectionReason: 'other', rejectionNote: 'The site moved.' });
  await tick('Bee');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 site' }).click();
  // An open dialog hides the rows from queries by role.
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(rowOf(page, `Ant ${mark}`)).toBeVisible();
  await expect(rowOf(page, `Bee ${mark}`)).toHaveCount(0);
  expect(await siteOf(ids[0] ?? 0)).toMatchObject({ status: 'Approved', publicPriceUsdCents: 4_500 });
  expect((await siteOf(ids[1] ?? 0))?.deletedAt).not.toBeNull();

  await page.getByRole('link', { name: `Edit Ant ${mark}` }).click();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByText('Pending → Approved')).toBeVisible();
  await expect(history).toContainText('$45.00');
});

test('staff add a niche of an import to the list, and replace others by an existing one', async ({ page }) => {
  const { mark, ids, admin } = await openSites(page);
  const [added, replaced] = [`Owls ${mark}`, `Hawks ${mark}`];
  const more = [`Kites ${mark}`, `Terns ${mark}`];
  await db()
    .update(sites)
    .set({ niche: replaced })
    .where(eq(sites.id, ids[0] ?? 0));
  await db()
    .insert(nicheProposals)
    .values([added, replaced, ...more].map((name) => ({ key: nicheKey(name), name, proposedBy: admin.userId })));
  await page.goto('/dashboard/features/niches-types');
  const review = page.getByRole('list', { name: 'Niches to review' });
  await expect(review.getByText('1 site ·')).toBeVisible();
  await review.getByRole('button', { name: `Add ${added}` }).click();
  await expect(page.getByRole('list', { name: 'Niches', exact: true }).getByText(added)).toBeVisible();
  await review.getByRole('button', { name: `Replace ${replaced}` }).click();
  const dialog = page.getByRole('dialog', { name: `Replace the niche “${replaced}”` });
  await dialog.getByLabel('Niche').selectOption(added);
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(replaced, { exact: true })).toHaveCount(0);
  for (const name of more) await review.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Replace 2 niches' }).click();
  const several = page.getByRole('dialog', { name: 'Replace 2 niches' });
  await several.getByLabel('Niche').selectOption('General');
  await several.getByRole('button', { name: 'Replace' }).click();
  await expect(several).toBeHidden();
  for (const name of more) await expect(page.getByText(name, { exact: true })).toHaveCount(0);
  expect(await siteOf(ids[0] ?? 0)).toMatchObject({ niche: added });

  // What is typed while a save is on its way stays.
  const field = page.getByLabel('New niche');
  const typed = new EventEmitter();
  await page.route('**/api/niches-types', async (route) => {
    await once(typed, 'next');
    await route.continue();
  });
  await field.fill(`Larks ${mark}`);
  await page.getByRole('button', { name: 'Add niche' }).click();
  await field.fill(`Finches ${mark}`);
  typed.emit('next');
  await expect(page.getByRole('list', { name: 'Niches', exact: true }).getByText(`Larks ${mark}`)).toBeVisible();
  await expect(field).toHaveValue(`Finches ${mark}`);
});

test(
  'a stale edit shows both changes, which can be merged',
  expecting('409 PUT /api/guest-posts/*'),
  async ({ page }) => {
    const { mark, ids } = await openSites(page);
    const id = ids[0] ?? 0;
    await page.getByRole('link', { name: `Edit Ant ${mark}` }).click();
    const dialog = page.getByRole('dialog', { name: `Edit Ant ${mark}` });
    await dialog.getByLabel('Public price').fill('70');
    await updateSite(await makeUser('Admin'), id, updateSiteBody.parse({ country: 'Peru' }));
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog.getByText('Another user changed this record')).toBeVisible();
    await expect(dialog.getByText(/→ Peru/)).toBeVisible();
    expect(await siteOf(id)).toMatchObject({ publicPriceCents: null });
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog).toBeHidden();
    expect(await siteOf(id)).toMatchObject({ publicPriceCents: 7_000, country: 'Peru' });
  },
);

test('the filtered list is exported with escaped formulas @full', async ({ page }) => {
  const { mark } = await openSites(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  const lines = text.trim().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(text).toContain(`,'=Cicada() ${mark},`);
  expect(text).not.toMatch(/(^|,)=/m);
});

test('a site opened by its URL shows its dialog without a browser error @full', async ({ page }) => {
  const { mark, ids } = await openSites(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${path}?q=${mark}&site=${ids[0]}`);
  const dialog = page.getByRole('dialog', { name: `Edit Ant ${mark}` });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  for (let round = 0; round < 3; round += 1) {
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: `Edit Ant ${mark}` }).click();
    await expect(dialog).toBeVisible();
  }
  expect(complaints.filter((text) => /hydrat/i.test(text))).toEqual([]);
});

test('staff preview and import a CSV', async ({ page }) => {
  const { admin, mark } = await openSites(page);
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload CSV' });
  const text = `Site URL,DR,Base Price,Sell for,Status\nstaff-${mark}.example,50,10,20,Approved\nx,1,1,1,\n`;
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'staff.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  await dialog.getByLabel('Field for Sell for').selectOption('Public price');
  await dialog.getByRole('button', { name: 'Check again' }).click();
  await dialog.getByRole('button', { name: 'Import 1 site' }).click();
  await expect(dialog.getByText('CSV uploaded.')).toBeVisible();
  await expect(dialog.getByText('Inserted: 1, Duplicates: 0, Skipped: 1')).toBeVisible();
  const [site] = await db().select().from(sites).where(eq(sites.ownerId, admin.userId));
  expect(site).toMatchObject({ status: 'Approved', publicPriceCents: 2_000, sellerPriceCents: 1_000 });
});
