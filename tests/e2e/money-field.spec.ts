import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test('a number input understands what is typed and pasted, and drops nothing', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(page, 'user', (await makeAccount()).email, '/user/wallet?topup=5.00');
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByRole('spinbutton', { name: 'Amount' });
  for (const [name, value] of [
    ['type', 'number'],
    ['min', '1'],
    ['step', '0.01'],
    ['inputmode', 'decimal'],
  ] as const)
    await expect(amount).toHaveAttribute(name, value);
  const send = dialog.getByRole('button', { name: 'Add Funds' });

  for (const [typed, shown] of [
    ['120,50', '120.50'],
    ['12.5k', '12500.00'],
    ['$1,250.5', '1250.50'],
    ['12.5', '12.50'],
  ] as const) {
    await amount.press('ControlOrMeta+a');
    await amount.pressSequentially(typed);
    await expect(amount).toHaveValue(typed);
    await amount.blur();
    await expect(amount).toHaveValue(shown);
    await expect(amount).toHaveAttribute('type', 'number');
    await expect(send).toBeEnabled();
  }

  // A character goes where the caret is.
  await amount.fill('12050');
  await amount.press('ArrowLeft');
  await amount.press('ArrowLeft');
  await amount.press(',');
  await expect(amount).toHaveValue('120,50');
  await amount.blur();
  await expect(amount).toHaveValue('120.50');

  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await amount.press('ControlOrMeta+a');
    await amount.press('ControlOrMeta+v');
  };
  await paste('$1,200.50');
  await expect(amount).toHaveValue('1200.50');
  for (const text of ['abc', '€120']) {
    await paste(text);
    await expect(amount).toHaveValue(text);
    await expect(amount).toHaveAccessibleDescription(new RegExp(`“${text}” is .*: enter Amount in USD`));
    await expect(amount).toHaveAttribute('aria-invalid', 'true');
    await expect(send).toBeDisabled();
  }
  await amount.fill('20');
  await expect(amount).not.toHaveAttribute('aria-invalid');
  await amount.blur();
  await expect(amount).toHaveValue('20.00');
  await expect(send).toBeEnabled();
});
