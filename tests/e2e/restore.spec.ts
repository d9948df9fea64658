import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { startSecondInstallation } from '@/tests/setup/second-installation';
import { button, choose } from './find';
import { leaveInstallation } from './leave-installation';
import { signIn, signInAs } from './sign-in';
import { test } from './watched-test';

test.describe.configure({ timeout: 240_000 });

test('an admin restores a backup, signs in again and finds everything as it was @full', async ({ browser }) => {
  const there = await startSecondInstallation();
  try {
    const page = await (await browser.newContext({ baseURL: there.origin })).newPage();
    const { email } = await there.run(() => makeAccount({ role: 'Admin', name: 'Restoring Admin' }));
    await signIn(page, 'admin', email);
    const addNiche = async (name: string) => {
      await page.goto('/dashboard/features/niches-types');
      await page.getByLabel('New niche').fill(name);
      await page.getByRole('button', { name: 'Add niche' }).click();
      await expect(page.getByText(name, { exact: true })).toBeVisible();
    };
    await addNiche('Before the backup');

    await page.goto('/dashboard/features/backup');
    await page.getByRole('button', { name: 'Start backup' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Complete' })).toBeVisible({ timeout: 60_000 });
    await addNiche('After the backup');

    await page.goto('/dashboard/features/backup');
    await choose(button(page, /^Actions for linkmarket-backup-/), 'Restore');
    const dialog = page.getByRole('dialog', { name: 'Restore a backup' });
    await dialog.getByRole('button', { name: 'Restore…' }).click({ timeout: 60_000 });
    const question = page.getByRole('alertdialog', { name: /^Restore linkmarket-backup-.+\?$/ });
    await expect(question).toContainText('Later changes are lost, and all users are signed out.');
    await question.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(dialog.getByText(/^Restore complete: [\d,]+ rows/)).toBeVisible({ timeout: 60_000 });
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL('**/admin/login');

    // The session of the restore has ended with all others.
    await page.goto('/dashboard');
    await page.waitForURL((url) => url.pathname === '/admin/login');
    await signInAs(page, 'admin', email, '/dashboard/features/niches-types');
    await expect(page.getByText('Before the backup', { exact: true })).toBeVisible();
    await expect(page.getByText('After the backup', { exact: true })).toHaveCount(0);
    await page.goto('/dashboard/features/audit-logs');
    const auditLine = page.getByText(`${email} restored the backup of`).filter({ visible: true });
    await expect(auditLine.first()).toBeVisible();
  } finally {
    await leaveInstallation(browser, there);
  }
});
