import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { licenses } from '@/db/schema/licenses';
import { packages } from '@/db/schema/packages';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const screen = (name: 'packages' | 'licenses', mark: string) => `/dashboard/features/${name}?q=${mark}`;
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const openAs = async (page: Page, address: string) => {
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, address);
};
const packageOf = async (mark: string) =>
  (
    await db()
      .select()
      .from(packages)
      .where(eq(packages.name, `Bundle ${mark}`))
  )[0];

test(
  'staff create a package, cannot sell it without a price, price it and delete it',
  expecting('400 POST /api/packages'),
  async ({ page }) => {
    const mark = newId();
    await openAs(page, screen('packages', mark));
    await page.getByRole('link', { name: 'Add package' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a package' });
    await dialog.getByRole('button', { name: 'Add package' }).click();
    await expect(dialog.getByText('Enter a name.')).toBeVisible();
    await expect(dialog.getByText('Enter a price.')).toBeVisible();
    await dialog.getByLabel('Name').fill(`Bundle ${mark}`);
    await dialog.getByLabel('Price').fill('0');
    await dialog.getByLabel('Links').fill('type,quantity\nGuest posts,3');
    await dialog.getByRole('button', { name: 'Add package' }).click();
    await expect(
      dialog.getByText('A package without a price cannot be on sale. Enter a price first.').first(),
    ).toBeVisible();
    await dialog.getByLabel('Sale').selectOption('Not on sale');
    await dialog.getByRole('button', { name: 'Add package' }).click();
    await expect(rowOf(page, mark)).toContainText('Not on sale');

    await page.getByRole('link', { name: `Edit Bundle ${mark}` }).click();
    const editor = page.getByRole('dialog', { name: `Edit Bundle ${mark}` });
    await expect(editor.getByRole('cell', { name: 'Guest posts' })).toBeVisible();
    await editor.getByLabel('Price').fill('249.50');
    await editor.getByLabel('Sale').selectOption('On sale');
    await editor.getByRole('button', { name: 'Save changes' }).click();
    await expect(rowOf(page, mark)).toContainText('$249.50');
    expect(await packageOf(mark)).toMatchObject({
      priceCents: 24_950,
      isOnSale: true,
      links: 'type,quantity\nGuest posts,3',
    });

    await page.getByRole('link', { name: `Edit Bundle ${mark}` }).click();
    await editor.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete package' }).click();
    await expect(page.getByText('No matching packages')).toBeVisible();
    expect((await packageOf(mark))?.deletedAt).not.toBeNull();
  },
);

test(
  'a stale edit shows a message, and a failed one shows its status @full',
  expecting('409 PUT /api/packages/*'),
  async ({ page }) => {
    const mark = newId();
    await db()
      .insert(packages)
      .values({ name: `Bundle ${mark}`, priceCents: 1_000 });
    await openAs(page, screen('packages', mark));
    await page.getByRole('link', { name: `Edit Bundle ${mark}` }).click();
    const editor = page.getByRole('dialog', { name: `Edit Bundle ${mark}` });
    await editor.getByLabel('Description').fill('Mine');
    await db()
      .update(packages)
      .set({ priceCents: 2_000, version: 2 })
      .where(eq(packages.name, `Bundle ${mark}`));
    await editor.getByRole('button', { name: 'Save changes' }).click();
    await expect(editor.getByText(/another user/)).toBeVisible();
    await expect(editor.getByText('10.00 → 20.00')).toBeVisible();
    await editor.getByRole('button', { name: 'Keep mine' }).click();
    await page.route('**/api/packages/*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await editor.getByRole('button', { name: 'Save changes' }).click();
    await expect(editor.getByText('Save failed (HTTP 502)', { exact: true })).toBeVisible();
    await page.unroute('**/api/packages/*');
    await editor.getByRole('button', { name: 'Save changes' }).click();
    await expect(editor).toBeHidden();
    expect(await packageOf(mark)).toMatchObject({ priceCents: 2_000, description: 'Mine', version: 3 });
  },
);

test('staff create a license, deactivate it by its badge, and delete it', async ({ page }) => {
  const mark = newId();
  await openAs(page, screen('licenses', mark));
  await page.getByRole('link', { name: 'Add license' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a license' });
  await dialog.getByLabel('Name').fill(`Plug-in ${mark}`);
  await dialog.getByRole('button', { name: 'Add license' }).click();
  await expect(dialog.getByText('Enter a key, or generate one.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Generate' }).click();
  const key = await dialog.getByLabel('Key').inputValue();
  expect(key).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
  await dialog.getByRole('button', { name: 'Add license' }).click();
  await expect(rowOf(page, mark)).toContainText(key);

  const badge = rowOf(page, mark).getByRole('switch', { name: `Plug-in ${mark} is active` });
  await badge.click();
  await expect(badge).toHaveText('Inactive');
  await expect(badge).not.toBeChecked();
  const [saved] = await db().select().from(licenses).where(eq(licenses.key, key));
  expect(saved?.status).toBe('inactive');
  await page.route('**/api/licenses/*', (route) => route.abort());
  await badge.click();
  await expect(page.getByText('Save failed (HTTP 0)')).toBeVisible();
  await expect(badge).toHaveText('Inactive');
  await page.unroute('**/api/licenses/*');

  await page.getByRole('link', { name: `Edit Plug-in ${mark}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete license' }).click();
  await expect(page.getByText('No matching licenses')).toBeVisible();
});
