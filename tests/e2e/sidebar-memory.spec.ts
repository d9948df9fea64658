import { expect } from '@playwright/test';
import { makeAccount } from '../factories/make-account';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test('a group that opens for the current page stays remembered as closed', async ({ page }) => {
  const { email } = await makeAccount({ role: 'Admin' });
  await signInAs(page, 'admin', email);
  const group = page.getByRole('navigation').first().getByRole('button', { name: 'Users & Access' });
  const remembered = () => page.evaluate(() => localStorage.getItem('admin_group_users-access'));
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'false');

  await page.goto('/dashboard/features/audit-logs');
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  expect(await remembered()).toBe('0');
  // Closed by hand on that very page, and opened again.
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  expect(await remembered()).toBe('0');
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  expect(await remembered()).toBe('1');
  await group.click();

  await page.goto('/dashboard');
  await expect(group).toHaveAttribute('aria-expanded', 'false');
});
