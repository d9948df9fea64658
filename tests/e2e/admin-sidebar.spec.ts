import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test('the admin sidebar remembers collapsed groups, expands the current one, and marks its link', async ({ page }) => {
  const { email } = await makeAccount({ role: 'Admin' });
  await signInAs(page, 'admin', email);
  const sidebar = page.getByRole('navigation').first();
  const group = sidebar.getByRole('button', { name: 'Users & Access' });
  const link = sidebar.getByRole('link', { name: 'Audit Logs' });
  await expect(link).toBeVisible();
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  expect(await page.evaluate(() => localStorage.getItem('admin_group_users-access'))).toBe('0');
  await page.reload();
  await expect(group).toHaveAttribute('aria-expanded', 'false');

  await page.goto('/dashboard/features/audit-logs');
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await expect(link).toHaveAttribute('aria-current', 'page');
});

test('the admin area redirects a customer to its sign-in page', async ({ page }) => {
  const { email } = await makeAccount();
  await signInAs(page, 'user', email, '/dashboard');
  await page.waitForURL('**/admin/login?next=*');
  await expect(page.getByRole('heading', { name: 'Admin Sign in' })).toBeVisible();
});
