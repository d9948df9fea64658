import { expect, type Page } from '@playwright/test';
import { testPassword } from '../factories/make-account';

const homes = { user: '/user', admin: '/dashboard', seller: '/seller' } as const;

/** Signs a person in by the portal's own form. */
export async function signInAs(
  page: Page,
  portal: keyof typeof homes,
  email: string,
  password = testPassword,
): Promise<void> {
  await page.goto(`/${portal}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  if (portal !== 'seller') await page.getByLabel('I agree to the terms').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname === homes[portal]);
  await expect(page.getByRole('main')).toBeVisible();
}
