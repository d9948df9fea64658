import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { newId } from '@/lib/ids';
import { getDispute } from '@/lib/orders/disputes/queries';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { makeAccount } from '@/tests/factories/make-account';
import { makeDispute } from '@/tests/factories/make-dispute';
import { makeOrder } from '@/tests/factories/make-order';
import { expectNoViolation } from './expect-no-violation';
import { entry } from './find';
import { signInByForm } from './sign-in';
import { test } from './watched-test';

const ordersPath = '/dashboard/features/orders';

test('a morning at the desk: an order with note, tag and view, a dispute, an export @both-full', async ({
  page,
  isMobile,
}) => {
  const { id } = await makeOrder(4_000);
  const dispute = await makeDispute();
  const tag = `tag ${newId().slice(-8)}`;
  await signInByForm(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible();

  await test.step('completes an order, whose status needs a link', async () => {
    await page.goto(ordersPath);
    await page.getByLabel('Search orders').fill(`#${id}`);
    await expect(page.getByText('1–1 of 1')).toBeVisible();
    await page.getByRole('link', { name: `View / Edit order #${id}` }).click();
    const dialog = page.getByRole('dialog').filter({ hasText: `Order #${id}` });
    const completed = dialog.getByRole('option', { name: /^Completed/ });
    await expect(completed).toHaveText(/needs a live link/);
    await expect(completed).toBeDisabled();
    await dialog.getByLabel('Live link').fill('news.example.com/morning');
    await dialog.getByLabel('Status').selectOption('Completed');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(async () => (await getAdminOrder(id)).status).toBe('Completed');
    await dialog.getByRole('link', { name: /^Open order page/ }).click();
  });

  await test.step('writes a note and a tag', async () => {
    const notes = page.getByRole('region', { name: 'Internal notes' });
    await notes.getByLabel('Add a tag').fill(`  ${tag.toUpperCase()} `);
    await notes.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(notes.getByRole('list', { name: 'Tags' })).toHaveText(tag);
    await notes.getByLabel('New note').fill('The buyer called.\nAll is well.');
    await notes.getByRole('button', { name: 'Add note' }).click();
    await expect(notes.getByRole('list', { name: 'Notes' })).toContainText('The buyer called.');
    await expect(notes.getByLabel('New note')).toHaveValue('');
    await expectNoViolation(page);
  });

  await test.step('saves the list of the tag as a view, and returns to it', async () => {
    await page.goto(ordersPath);
    const heading = page.getByRole('columnheader', { name: 'Charged' });
    if (!isMobile) {
      await heading.getByRole('link').click();
      await expect(heading).toHaveAttribute('aria-sort', 'descending');
      await heading.getByRole('link').click();
      await expect(heading).toHaveAttribute('aria-sort', 'ascending');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await page.getByLabel('Tag', { exact: true }).selectOption(tag);
    await page.waitForURL(/tag=/);
    await expect(page.getByText('1–1 of 1')).toBeVisible();
    await page.getByRole('button', { name: 'Views' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByLabel('Name of this view').fill('My tag');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(dialog.getByRole('link', { name: 'My tag' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.goto(ordersPath);
    await page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: 'My tag' }).click();
    await expect(page.getByText('1–1 of 1')).toBeVisible();
    await expect(page.getByRole('link', { name: `View / Edit order #${id}` })).toBeVisible();
  });

  await test.step('decides a dispute, and exports the list', async () => {
    await page.goto(`/dashboard/features/disputes?q=${dispute.orderId}`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^disputes-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(new RegExp(`^${dispute.orderId},`));
    await entry(page, `Order #${dispute.orderId}`)
      .getByRole('link', { name: `Order #${dispute.orderId}` })
      .click();
    await page.getByRole('button', { name: 'Decide' }).click();
    const dialog = page.getByRole('dialog', { name: `Decide the dispute of order #${dispute.orderId}` });
    await dialog.getByLabel('Share that returns to the buyer, in percent').fill('25');
    await dialog.getByLabel('Reasons').fill('The anchor differs a little.');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await expect(dialog).toBeHidden();
    expect(await getDispute(dispute.id)).toMatchObject({ state: 'settled', buyerPercent: 25 });
  });
});
