import { expect } from '@playwright/test';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test('an unsaved edit of an order survives Back and a reload @full', async ({ page }) => {
  const admin = await makeAccount({ role: 'Admin' });
  const { id } = await makeOrder(1_000);
  const address = `/dashboard/features/orders?q=${id}`;
  await signInAs(page, 'admin', admin.email, address);
  const dialog = page.getByRole('dialog').filter({ hasText: `Order #${id}` });
  const comments = dialog.getByLabel('Comments to the buyer');
  const offer = dialog.getByRole('status').filter({ hasText: 'You have unsaved changes to this order.' });
  const open = () => page.getByRole('link', { name: `View / Edit order #${id}` }).click();

  await open();
  await comments.fill('Half a sentence');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await open();
  await offer.getByRole('button', { name: 'Restore' }).click();
  await expect(comments).toHaveValue('Half a sentence');

  let asked = 0;
  page.on('dialog', (question) => {
    asked += 1;
    void question.accept();
  });
  await page.reload();
  expect(asked).toBe(1);
  await expect(offer).toContainText('You left without saving.');
  // Another admin saved meanwhile: that status and the typed comment are kept.
  await updateOrder(admin, id, { status: 'Processing' });
  await page.reload();
  await expect(offer).toContainText('The order has changed since');
  await offer.getByRole('button', { name: 'Restore' }).click();
  await expect(comments).toHaveValue('Half a sentence');
  await expect(dialog.getByLabel('Status')).toHaveValue('Processing');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Changes saved and visible to the user.')).toBeVisible();
  expect(await getAdminOrder(id)).toMatchObject({ status: 'Processing', adminComments: 'Half a sentence' });

  await page.reload();
  await expect(comments).toHaveValue('Half a sentence');
  await expect(offer).toBeHidden();
  await comments.fill('Another one');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL((url) => !url.searchParams.has('order'));
  await expect(dialog).toBeHidden();
  await open();
  await expect(comments).toHaveValue('Half a sentence');
  await expect(offer).toBeHidden();
});
