import { expect } from '@playwright/test';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { makeStaff } from '@/tests/factories/make-staff';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

test('each item that needs attention links to its list, and an unsent mail shows the reason @both-full', async ({
  page,
}) => {
  await makeOrder(1_000);
  const recipient = `${newId()}@example.com`;
  const failed = { kind: 'test', recipient, subject: 'Reset your password', html: '', text: '' };
  await db()
    .insert(mails)
    .values({ ...failed, id: newId(), attempts: 3, failedAt: new Date(), error: 'The mailbox does not exist.' });
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  await page.getByRole('link', { name: /^Emails not sent/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Emails not sent' });
  await expect(dialog.getByRole('listitem').filter({ hasText: recipient })).toContainText(
    'The mailbox does not exist.',
  );
  await expectNoViolation(page);
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.search === '');
  await page.getByRole('link', { name: /^Orders pending/ }).click();
  await page.waitForURL('**/dashboard/features/orders?status=Pending');
});

test('staff see only what they can act on', async ({ page }) => {
  await makeOrder(1_000);
  await signInAs(page, 'admin', (await makeStaff('ManageOrders')).email);
  await expect(page.getByRole('link', { name: /^Orders pending/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Emails not sent/ })).toBeHidden();
  await page.goto('/dashboard?mails=failed');
  await expect(page.getByRole('link', { name: /^Orders pending/ })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});
