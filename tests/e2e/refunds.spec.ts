import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { expectNoViolation } from './expect-no-violation';
import { signIn } from './sign-in';
import { startTopUp } from './start-top-up';
import { test } from './watched-test';

test('a buyer requests a refund to the payment method, staff approve it, and the buyer sees it', async ({
  page,
  browser,
}) => {
  const { email } = await makeAccount();
  await signIn(page, 'user', email);
  await startTopUp(page, 'stripe');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.waitForURL((url) => url.pathname === '/user/wallet' && url.search === '', { timeout: 30_000 });
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$50.00');

  await page.getByRole('link', { name: 'Refunds', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Refunds', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Request a refund of the top-up of $50.00' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('At most $50.00');
  await dialog.getByLabel('Amount').fill('20');
  await dialog.getByLabel('Reason').fill('Ordered less than planned');
  await expectNoViolation(page);
  await dialog.getByRole('button', { name: 'Request refund' }).click();
  await expect(page.getByText('Refund requested.')).toBeVisible();
  const refunds = page.getByRole('table', { name: 'Refunds' });
  await expect(refunds.getByRole('row').filter({ hasText: '$20.00' })).toContainText('Requested');
  await expectNoViolation(page);

  const desk = await browser.newPage();
  await signIn(desk, 'admin', (await makeStaff('ManageWallets')).email);
  await desk.goto(`/dashboard/features/wallet-manager?tab=refunds&q=${encodeURIComponent(email)}`);
  const row = desk.getByRole('row').filter({ hasText: email });
  await expect(row).toContainText('Ordered less than planned');
  await expectNoViolation(desk);
  await desk.getByRole('button', { name: `Actions for the refund of $20.00 to ${email}` }).click();
  await desk.getByRole('menuitem', { name: 'Approve' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Refund $20.00' }).click();
  await expect(desk.getByText('$20.00 refunded.')).toBeVisible();
  await expect(row).toContainText('Refunded');
  await desk.close();

  await page.reload();
  await expect(refunds.getByRole('row').filter({ hasText: '$20.00' })).toContainText('Refunded');
  await page.getByRole('link', { name: 'Back to wallet' }).click();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$30.00');
});
