import { expect } from '@playwright/test';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { offerBankTransfers } from '@/tests/factories/make-bank-transfer';
import { makeStaff } from '@/tests/factories/make-staff';
import { creditStatement } from '@/tests/setup/bank-credits';
import { expectNoViolation } from './expect-no-violation';
import { signIn } from './sign-in';
import { test } from './watched-test';

test('a buyer asks for a bank transfer, staff upload the statement, and the wallet is credited', async ({
  page,
  browser,
}) => {
  await offerBankTransfers();
  await signIn(page, 'user', (await makeAccount()).email);
  await page.goto('/user/wallet');
  await page.getByRole('button', { name: 'Add Funds' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '+50' }).click();
  await dialog.getByLabel('Payment method').selectOption({ label: 'Bank transfer in USD' });
  await dialog.getByRole('button', { name: 'Add Funds' }).click();
  await page.waitForURL(/\/user\/wallet\/bank\/RF/);
  const [reference = ''] = /RF\w+/.exec(page.url()) ?? [];
  await expect(page.getByText('000123456789')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy the reference' })).toBeVisible();
  await expectNoViolation(page);

  const desk = await browser.newPage();
  await signIn(desk, 'admin', (await makeStaff('ManageWallets')).email);
  await desk.goto('/dashboard/features/wallet-manager?tab=bank');
  await desk.getByRole('button', { name: 'Upload statement' }).click();
  await desk.getByLabel('Bank statement', { exact: true }).setInputFiles({
    name: 'statement.xml',
    mimeType: 'application/xml',
    buffer: creditStatement([{ cents: 5_000, text: `Invoice ${reference}`, reference: newId() }]),
  });
  await desk.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
  await expect(desk.getByText('1 transfer credited.')).toBeVisible();
  await desk.goto(`/dashboard/features/wallet-manager?tab=bank&q=${reference}`);
  await expect(desk.getByRole('row').filter({ hasText: reference })).toContainText('Credited');
  await expectNoViolation(desk);
  await desk.close();

  await page.getByRole('link', { name: 'Back to the wallet' }).click();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$50.00');
});
