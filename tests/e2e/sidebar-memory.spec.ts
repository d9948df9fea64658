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

test('the menu fits 900 pixels, with Orders second and the Feature Manager in it @full', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  const menu = page.getByRole('navigation', { name: 'Admin', exact: true });
  await expect(menu.getByRole('link').nth(1)).toHaveText('Orders');
  const isScrolling = await menu.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
  expect(isScrolling).toBe(false);
  await menu.getByRole('link', { name: 'Feature Manager' }).click();
  await page.waitForURL('**/dashboard/features');
  await expect(page.getByRole('banner').getByText('Feature Manager')).toBeVisible();
});

test('groups are shown as they were left from the first paint on @full', async ({ page }) => {
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
  const menu = page.getByRole('navigation', { name: 'Admin', exact: true });
  await menu.getByRole('button', { name: 'Users & Access' }).click();
  await menu.getByRole('button', { name: 'Developers' }).click();
  await expect(menu.getByRole('link', { name: 'Webhooks' })).toBeVisible();
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
  await expect(menu.getByRole('button', { name: 'Developers' })).toHaveAttribute('aria-expanded', 'true');
  await expect(menu.locator('[data-fold]')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-sampled', /^[\d ]+$/);
});
