import { expect, type Page } from '@playwright/test';
import { button } from '@/tests/e2e/find';
import { linkIn, newestMailTo } from '@/tests/setup/mailbox';
import { password } from './story';

/** Creates an account in a portal, and signs in by the mailed link. */
export async function register(page: Page, portal: 'user' | 'seller', name: string, email: string): Promise<void> {
  await page.goto(`/${portal}/login`);
  await page.getByText('Create account').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel(/^Password/).fill(password);
  await dialog.getByLabel('I agree to the terms').check();
  await button(dialog, 'Create account').click();
  await expect(dialog.getByText(/^Account created!/)).toBeVisible();
  await page.goto(linkIn(await newestMailTo(email)).href);
  await button(page, 'Verify email').click();
  await page.waitForURL(`**/${portal}`);
}
