import { expect, type Page } from '@playwright/test';
import { desc } from 'drizzle-orm';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { expectNoViolation } from './expect-no-violation';
import { actionsOf, choose } from './find';
import { signInAs } from './sign-in';
import { test } from './watched-test';

const screen = (name: string) => `/dashboard/features/${name}`;
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

async function openAsAdmin(page: Page, path: string) {
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, path);
}

test('an admin stores, replaces and deletes a key; the page contains its last four characters only', async ({
  page,
}) => {
  const name = `Key ${newId()}`;
  await openAsAdmin(page, screen('api-manager'));
  await page.getByRole('button', { name: 'Add key' }).click();
  const add = page.getByRole('dialog', { name: 'Add key' });
  await add.getByRole('button', { name: 'Add key' }).click();
  await expect(add.getByText('Choose a provider.').first()).toBeVisible();
  await add.getByLabel('Name').fill(name);
  await add.getByLabel('Provider').selectOption('Moz');
  await add.getByLabel(/^Key/).fill('short');
  await add.getByRole('button', { name: 'Add key' }).click();
  await expect(add.getByText('The key must have at least 8 characters.')).toBeVisible();
  await add.getByLabel(/^Key/).fill('moz-secret-key-wxyz');
  await add.getByRole('button', { name: 'Add key' }).click();
  await expect(rowOf(page, name)).toContainText('wxyz');
  expect(await page.content()).not.toContain('moz-secret');

  await choose(actionsOf(page, name), 'Edit');
  const edit = page.getByRole('dialog', { name: `Edit ${name}` });
  await expect(edit.getByText('Leave empty to keep the key ending in wxyz.')).toBeVisible();
  await edit.getByLabel('New key').fill('moz-another-key-1234');
  await edit.getByRole('button', { name: 'Save key' }).click();
  await expect(rowOf(page, name)).toContainText('1234');
  const [row] = await db().select().from(apiKeys).orderBy(desc(apiKeys.keySetAt)).limit(1);
  expect(row?.sealedKey).toMatch(/^v1\./);

  await choose(actionsOf(page, name), 'Delete');
  const question = page.getByRole('alertdialog', { name: `Delete the Moz key “${name}”?` });
  await question.getByRole('button', { name: 'Delete key' }).click();
  await expect(page.getByText(`${name} deleted.`)).toBeVisible();
  await expect(question).toBeHidden();
  await expect(rowOf(page, name)).toHaveCount(0);
});

test('a notification reaches the bells of its audience, once', async ({ page, browser }) => {
  const title = `News ${newId()}`;
  const [seller, buyer] = [await makeAccount({ role: 'Seller' }), await makeAccount()];
  await openAsAdmin(page, screen('notifications'));
  await page.getByRole('button', { name: 'Add notification' }).click();
  const add = page.getByRole('dialog', { name: 'Add notification' });
  await add.getByLabel('Title').fill(title);
  await add.getByLabel('Message').fill('New prices from Monday.');
  await add.getByLabel('Type').selectOption('Warning');
  await add.getByLabel('Audience').selectOption('Customers');
  await add.getByRole('button', { name: 'Add notification' }).click();
  await expect(rowOf(page, title)).toContainText(/Warning.*Customers/);

  const customer = await (await browser.newContext()).newPage();
  await signInAs(customer, 'user', buyer.email);
  await customer.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click();
  await expect(customer.getByText(title)).toBeVisible();
  await expect(customer.getByText('New prices from Monday.')).toBeVisible();
  await customer.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(customer.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await expectNoViolation(customer);

  const other = await (await browser.newContext()).newPage();
  await signInAs(other, 'seller', seller.email);
  await other.getByRole('button', { name: /^Notifications/ }).click();
  await expect(other.getByRole('heading', { name: 'Notifications', exact: true })).toBeVisible();
  await expect(other.getByText(title)).toHaveCount(0);

  await choose(actionsOf(page, title), 'Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete notification' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(rowOf(page, title)).toHaveCount(0);
  await customer.reload();
  await customer.getByRole('button', { name: /^Notifications/ }).click();
  await expect(customer.getByText(title)).toHaveCount(0);
});

test('a sign-up highlight is shown next to the registration, and a stale edit shows a message @full', async ({
  page,
  browser,
}) => {
  const name = `Feature ${newId()}`;
  await openAsAdmin(page, screen(''));
  await page.getByRole('button', { name: 'Add feature' }).click();
  const add = page.getByRole('dialog', { name: 'Add feature' });
  await add.getByLabel('Name').fill(name);
  await add.getByLabel('Description').fill('One balance for all orders.');
  await add.getByRole('button', { name: 'Add feature' }).click();
  await expect(rowOf(page, name)).toContainText('One balance for all orders.');

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto('/register');
  await expect(stranger.getByText(name)).toBeVisible();
  await expectNoViolation(stranger);

  const other = await (await browser.newContext()).newPage();
  await openAsAdmin(other, screen(''));
  await choose(actionsOf(other, name), 'Edit');
  const theirs = other.getByRole('dialog');
  await choose(actionsOf(page, name), 'Edit');
  await page.getByRole('dialog').getByLabel('Description').fill('Changed first.');
  await page.getByRole('dialog').getByRole('button', { name: 'Save feature' }).click();
  await expect(rowOf(page, name)).toContainText('Changed first.');
  await theirs.getByLabel('Description').fill('Changed second.');
  await theirs.getByRole('button', { name: 'Save feature' }).click();
  await expect(theirs.getByText('was changed by another user in the meantime.')).toBeVisible();
  await expect(theirs.getByText('One balance for all orders. → Changed first.')).toBeVisible();
  await theirs.getByRole('button', { name: 'Keep mine' }).click();
  await theirs.getByRole('button', { name: 'Save feature' }).click();
  await expect(rowOf(other, name)).toContainText('Changed second.');

  await choose(actionsOf(other, name), 'Delete');
  await other.getByRole('alertdialog').getByRole('button', { name: 'Delete feature' }).click();
  await expect(other.getByRole('alertdialog')).toBeHidden();
  await expect(rowOf(other, name)).toHaveCount(0);
});

test('integrations show their state, and a test calls the service', async ({ page }) => {
  await openAsAdmin(page, screen('integrations'));
  const cardOf = (label: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) });
  await expect(cardOf('S3 storage')).toContainText(/Connected|Not connected/);
  await page.getByRole('button', { name: 'Test S3 storage' }).click();
  await expect(page.getByText(/^A file was written to .*, read and deleted\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Send me a test email' }).click();
  await expect(page.getByText(/^Resend accepted an email to .*\. Check the inbox\.$/)).toBeVisible();
});

test('axe finds no violation in the dialogs of the settings screens @both @full', async ({ page }) => {
  await openAsAdmin(page, screen('api-manager'));
  for (const [name, button] of [
    ['api-manager', 'Add key'],
    ['notifications', 'Add notification'],
    ['', 'Add feature'],
  ] as const) {
    await page.goto(screen(name));
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog').getByLabel(/^(Name|Title)/)).toBeFocused();
    await expectNoViolation(page);
  }
});
