import type { Page } from '@playwright/test';

/** Opens Add Funds, enters 50 USD and a method, and follows the redirect. */
export async function startTopUp(page: Page, method: 'stripe' | 'paypal' | 'wechat'): Promise<void> {
  await page.goto('/user/wallet');
  await page.getByRole('button', { name: 'Add Funds' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '+50' }).click();
  await dialog.getByLabel('Payment method').selectOption(method);
  await dialog.getByRole('button', { name: 'Add Funds' }).click();
}
