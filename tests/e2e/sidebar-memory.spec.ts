import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test('a group that opens for the current page stays remembered as closed @full', async ({ page }) => {
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

test('daily work stays in sight above the rest of the menu, and opens again on the next page @full', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  const menu = page.getByRole('navigation', { name: 'Admin', exact: true });
  await menu.getByRole('link', { name: 'Backup and Restore' }).click();
  await page.waitForURL('**/dashboard/features/backup');
  await page.reload();
  for (const name of ['Home', 'Orders', 'Disputes', 'Payouts', 'Links', 'Backup and Restore'])
    await expect(menu.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await menu.getByRole('button', { name: 'Core' }).click();
  await expect(menu.getByRole('button', { name: 'Core' })).toHaveAttribute('aria-expanded', 'false');
  await menu.getByRole('link', { name: 'Feature Manager' }).click();
  await page.waitForURL('**/dashboard/features');
  await expect(page.getByRole('banner').getByText('Feature Manager')).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Core' })).toHaveAttribute('aria-expanded', 'true');
});

test('groups are shown as they were left from the first paint on @full', async ({ page }) => {
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  const menu = page.getByRole('navigation', { name: 'Admin', exact: true });
  await menu.getByRole('button', { name: 'Users & Access' }).click();
  await menu.getByRole('button', { name: 'System & Integrations' }).click();
  await expect(menu.getByRole('link', { name: 'Webhooks' })).not.toBeInViewport();
  // The heights of the groups, in every frame that is painted.
  await page.addInitScript(() => {
    const heights = new Set<string>();
    const sample = () => {
      const lists = [...document.querySelectorAll<HTMLElement>('nav[aria-label="Admin"] .fold-links')];
      if (lists.length > 0) heights.add(lists.map(({ offsetHeight }) => offsetHeight).join(' '));
      document.documentElement.dataset.sampled = [...heights].join('|');
      requestAnimationFrame(sample);
    };
    requestAnimationFrame(sample);
  });
  await page.reload();
  await expect(menu.getByRole('button', { name: 'System & Integrations' })).toHaveAttribute('aria-expanded', 'false');
  await expect(menu.locator('[data-fold]')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-sampled', /^[\d ]+$/);
});
