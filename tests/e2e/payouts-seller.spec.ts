import { expect, type Page } from '@playwright/test';
import { requestPayout, withdrawPayout } from '@/lib/payouts/request';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const listOf = (page: Page) => page.getByRole('table', { name: 'Payouts' });

test(
  'a seller sets a payout method, requests a payout, and withdraws it',
  expecting('400 POST /api/seller/payouts'),
  async ({ page }) => {
    const seller = await makeAccount({ role: 'Seller' });
    await makePlacement('closed', { seller, sellerCents: 12_345 });
    await signInAs(page, 'seller', seller.email);
    await page.getByRole('link', { name: 'Payouts' }).click();
    await expect(page.getByText('No payouts yet')).toBeVisible();
    await expect(page.getByText('$123.45')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Request payout' })).toHaveCount(0);

    await page.getByRole('button', { name: 'Add payout method' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('within the first 72 hours');
    await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01');
    await dialog.getByLabel('Account holder').fill('Jane Doe');
    await dialog.getByLabel('Street and number').fill('Main Street 1');
    await dialog.getByLabel('Town').fill('Berlin');
    await dialog.getByLabel('Country').selectOption({ label: 'Germany' });
    await dialog.getByRole('button', { name: 'Save method' }).click();
    await expect(dialog.getByText('Enter your password.')).toBeVisible();
    await dialog.getByLabel('Your password').fill('wrong');
    await dialog.getByRole('button', { name: 'Save method' }).click();
    await expect(dialog.getByText('This IBAN is not valid. Check the digits.')).toBeVisible();
    await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
    await dialog.getByRole('button', { name: 'Save method' }).click();
    await expect(dialog.getByText('The password is incorrect.')).toBeVisible();
    await dialog.getByLabel('Your password').fill(testPassword);
    await expectNoViolation(page);
    await dialog.getByRole('button', { name: 'Save method' }).click();
    await expect(dialog).toBeHidden();
    const card = page.getByRole('region', { name: 'Payout method' });
    await expect(card).toContainText('3000');
    await expect(card).toContainText('Payouts to it are sent after');

    await page.getByRole('button', { name: 'Request payout' }).click();
    await expect(dialog.getByLabel('Amount')).toHaveValue('123.45');
    await expect(dialog).toContainText('$123.45');
    await dialog.getByLabel('Amount').fill('200');
    await dialog.getByRole('button', { name: 'Request payout' }).click();
    await expect(dialog.getByText('You can request at most $123.45.')).toBeVisible();
    await dialog.getByLabel('Amount').fill('100');
    await dialog.getByRole('button', { name: 'Request payout' }).click();
    await expect(dialog).toBeHidden();
    const row = listOf(page).getByRole('row').filter({ hasText: '$100.00' });
    await expect(row).toContainText('Requested');
    await expect(page.getByText('$23.45')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Request payout' })).toHaveCount(0);

    await row.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw payout' }).click();
    await expect(row).toContainText('Withdrawn');
    await expect(page.getByText('$123.45')).toBeVisible();
  },
);

test('a seller chooses a schedule, and removes the payout method @full', async ({ page }) => {
  const seller = await makePayableSeller(9_000, { seller: await makeAccount({ role: 'Seller' }) });
  await signInAs(page, 'seller', seller.email, '/seller/payouts');
  const choice = page.getByLabel('Request payouts');
  await choice.selectOption({ label: 'Every Monday' });
  await expect(page.getByText('Next request:')).toBeVisible();
  await page.reload();
  await expect(choice).toHaveValue('weekly');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove method' }).click();
  await expect(page.getByText('No payout method')).toBeVisible();
});

test('the screen is accessible and fits each screen @both @full', async ({ page }) => {
  const seller = await makePayableSeller(90_000, { seller: await makeAccount({ role: 'Seller' }) });
  await withdrawPayout(seller, (await requestPayout(seller, { amountCents: 10_000 })).id);
  await requestPayout(seller, { amountCents: 12_000 });
  await signInAs(page, 'seller', seller.email, '/seller/payouts');
  await expect(page.getByText('Withdrawn').locator('visible=true')).toHaveCount(1);
  await expectNoViolation(page);
});
