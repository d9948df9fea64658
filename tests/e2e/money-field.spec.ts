import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test('an amount with a comma is rejected, not multiplied', async ({ page }) => {
  await signInAs(page, 'user', (await makeAccount()).email, '/user/wallet?topup=5.00');
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel('Amount');
  await expect(amount).toHaveAttribute('min', '1');
  await expect(amount).toHaveAttribute('step', '0.01');
  await expect(amount).toHaveAttribute('inputmode', 'decimal');
  const send = dialog.getByRole('button', { name: 'Add Funds' });
  for (const typed of ['12,5', '1e3', '9'.repeat(20)]) {
    await amount.fill('');
    await amount.pressSequentially(typed);
    await amount.blur();
    await expect(amount).toHaveValue(typed);
    await expect(amount).toHaveAccessibleDescription(/without a comma|in digits|too large/);
    await expect(amount).toHaveAttribute('aria-invalid', 'true');
    await expect(send).toBeDisabled();
  }
  await amount.fill('12.5');
  await amount.blur();
  await expect(amount).toHaveValue('12.50');
  await expect(amount).not.toHaveAttribute('aria-invalid');
  await expect(send).toBeEnabled();
});
