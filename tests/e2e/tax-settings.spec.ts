import { expect, type Page } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { startSecondInstallation } from '@/tests/setup/second-installation';
import { chooseTheme } from './choose-theme';
import { expectNoViolation } from './expect-no-violation';
import { leaveInstallation } from './leave-installation';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const path = '/dashboard/features/tax';
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const saved = (page: Page) => expect(page.getByText('Saved', { exact: true }).last()).toBeVisible();

/** Another installation, because tax is of all buyers. */
test(
  'an admin enters the identity on a phone, corrects a VAT id, and turns tax on and off',
  expecting('400 PUT /api/admin/operator'),
  async ({ browser }) => {
    test.setTimeout(180_000);
    const there = await startSecondInstallation();
    try {
      const page = await (await browser.newContext({ baseURL: there.origin, ...phone })).newPage();
      await chooseTheme(page, 'dark');
      const { email } = await there.run(() => makeAccount({ role: 'Admin' }));
      await signInAs(page, 'admin', email, `${path}?tab=tax`);
      await expect(page.getByText('Complete these before you turn tax on')).toBeVisible();
      await expect(page.getByText('Enter the legal name.')).toBeVisible();

      await page.getByRole('link', { name: 'Identity' }).click();
      await page.getByLabel('Legal name').fill('Example GmbH');
      await page.getByLabel('Street and number').fill('Main Street 1');
      await page.getByLabel('City').fill('Berlin');
      await page.getByLabel('Country').selectOption('Germany');
      await page.getByRole('button', { name: 'Save identity' }).click();
      await saved(page);
      await page.getByRole('button', { name: 'Add VAT id' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByLabel('Country')).toHaveValue('DE');
      await dialog.getByLabel('VAT id').fill('DE136695977');
      await dialog.getByRole('button', { name: 'Save VAT id' }).click();
      await expect(dialog.getByText('This VAT id is not valid.')).toBeVisible();
      await dialog.getByLabel('VAT id').fill('136695976');
      await dialog.getByRole('button', { name: 'Save VAT id' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText('DE136695976')).toBeVisible();
      await expectNoViolation(page);

      await page.getByRole('link', { name: 'Bank accounts' }).click();
      await page.getByRole('button', { name: 'Add account' }).click();
      await dialog.getByLabel('Account', { exact: false }).first().selectOption('US dollars, with routing number');
      await expect(dialog.getByLabel('Routing number')).toBeVisible();
      await dialog.getByLabel('Account', { exact: false }).first().selectOption('Euros, with IBAN');
      await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
      await dialog.getByLabel('Account holder').fill('Example GmbH');
      await dialog.getByRole('button', { name: 'Save account' }).click();
      await expect(page.getByText('DE89370400440532013000')).toBeVisible();
      await expectNoViolation(page);

      await page.getByRole('link', { name: 'Tax', exact: true }).click();
      await page.getByRole('button', { name: 'Turn tax on' }).click();
      const confirmation = page.getByRole('alertdialog', { name: 'Turn tax on for Germany?' });
      await expect(confirmation.getByText('Prices become net')).toBeVisible();
      await expectNoViolation(page);
      await confirmation.getByRole('button', { name: 'Turn tax on' }).click();
      await expect(page.getByText('Buyers pay tax by the rules of Germany.')).toBeVisible();
      await page.getByRole('button', { name: 'Add rate' }).click();
      await dialog.getByLabel('Country').selectOption('United Kingdom');
      await dialog.getByLabel('Rate').fill('20');
      await dialog.getByLabel('First day').fill('2026-01-01');
      await dialog.getByRole('button', { name: 'Save rate' }).click();
      await expect(page.getByText('yours, since 2026-01-01')).toBeVisible();
      await page.getByRole('checkbox', { name: 'We are exempt as a small business' }).check();
      await page.getByRole('button', { name: 'Save rules' }).click();
      await expect(page.getByText('Enter the words that documents of a small business must have.')).toBeVisible();
      await page.getByRole('checkbox', { name: 'We are exempt as a small business' }).uncheck();
      await page.getByLabel('Words while tax is off').fill('No tax is charged.');
      await page.getByRole('button', { name: 'Save rules' }).click();
      await saved(page);
      await expectNoViolation(page);
      await page.getByRole('button', { name: 'Turn tax off' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Turn tax off' }).click();
      await expect(page.getByText('No tax is charged: buyers pay the prices that you set.')).toBeVisible();
    } finally {
      await leaveInstallation(browser, there);
    }
  },
);
