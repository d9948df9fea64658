import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { bulkSites } from '@/lib/sites/bulk';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

const file = (rows: string) => ({ name: 'sites.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });

/** The import's dialog in each of its steps. */
async function walkThroughImport(page: Page) {
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload CSV' });
  await expect(dialog.getByText('Choose a CSV file or drop it here')).toBeVisible();
  await expectNoViolation(page);
  await dialog.getByLabel('CSV file').setInputFiles(file('Blog,DR\na.example,1\n'));
  await expect(dialog.getByText('Which column contains the URL?')).toBeVisible();
  await expectNoViolation(page);
  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  const bad = Array.from({ length: 9 }, (_, at) => `bad ${at},x,`).join('\n');
  await dialog.getByLabel('CSV file').setInputFiles(file(`URL,DR,Unheard of\naxe-${newId()}.example,1,2\n${bad}\n`));
  await dialog.getByText('3 more').click();
  await dialog.getByText('2 recognized columns').click();
  await expectNoViolation(page);
  await dialog.getByRole('button', { name: 'Import 1 site' }).click();
  await expect(dialog.getByText('Inserted: 1')).toBeVisible();
  await expectNoViolation(page);
}

test('axe finds no violation in the seller portal @both @full', async ({ page }) => {
  test.setTimeout(180_000);
  const seller = await makeAccount({ role: 'Seller' });
  const id = await makeSite(seller.userId, 4_000, { name: 'Axe Post', status: 'Pending', traffic: 1_200 });
  await bulkSites(await makeUser('Admin'), { ids: [id], change: { kind: 'approve' } });
  await signInAs(page, 'seller', seller.email);
  await expect(page.getByRole('heading', { name: 'Recent Activity' })).toBeVisible();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('link', { name: /Axe Post was approved/ })).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Support' }).click();
  await expectNoViolation(page);
  await page.goto('/seller/my-sites');
  await walkThroughImport(page);
});

test('axe finds no violation in Guest Posts of the admin @both @full', async ({ page }) => {
  test.setTimeout(180_000);
  const [admin, mark] = [await makeAccount({ role: 'Admin' }), newId().toLowerCase()];
  await makeSite(admin.userId, 4_000, { name: `Axe ${mark}` });
  await signInAs(page, 'admin', admin.email, `/dashboard/features/guest-posts?q=${mark}`);
  await page
    .getByRole('checkbox', { name: `Select Axe ${mark}` })
    .filter({ visible: true })
    .check();
  await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible();
  await expectNoViolation(page);
});
