import { expect } from '@playwright/test';
import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { roles, sessions } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { expectNoViolation } from './expect-no-violation';
import { button, choose, openMenu } from './find';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const typedLongAgo = (userId: string) =>
  db().update(sessions).set({ authenticatedAt: sql`now() - interval '6 minutes'` }).where(eq(sessions.userId, userId));

test(
  'a change of permissions asks for the password over the form and keeps the input @both-full',
  expecting('403 POST /api/acl/roles', '400 POST /api/auth/reauthenticate'),
  async ({ page }) => {
    const admin = await makeAccount({ role: 'Admin' });
    await signInAs(page, 'admin', admin.email, '/dashboard/features/access-control');
    const name = `Editors ${newId()}`;
    await page.getByLabel('New role').fill(name);
    await typedLongAgo(admin.userId);
    await page.getByRole('button', { name: 'Create role' }).click();

    const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
    const field = dialog.getByLabel('Your password');
    await expect(field).toBeFocused();
    await expectNoViolation(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Confirm your password to continue.')).toBeVisible();
    await expect(page.getByLabel('New role')).toHaveValue(name);
    expect(await db().select().from(roles).where(eq(roles.name, name))).toEqual([]);

    await page.getByRole('button', { name: 'Create role' }).click();
    await field.fill('not the password');
    await field.press('Enter');
    await expect(dialog.getByText('The password is incorrect.')).toBeVisible();
    await field.fill(testPassword);
    await field.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByText(name).first()).toBeVisible();
    expect(await db().select().from(roles).where(eq(roles.name, name))).toHaveLength(1);
  },
);

test('a backup is created and downloaded after the password is confirmed, also by its URL', async ({ page }) => {
  test.setTimeout(180_000);
  const admin = await makeAccount({ role: 'Admin' });
  await signInAs(page, 'admin', admin.email, '/dashboard/features/backup');
  await typedLongAgo(admin.userId);
  const confirm = async () => {
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
    await dialog.getByLabel('Your password').fill(testPassword);
    await dialog.getByRole('button', { name: 'Continue' }).click();
  };
  await page.getByRole('button', { name: 'Start backup' }).click();
  await confirm();
  await expect(page.getByRole('status').filter({ hasText: 'Complete' })).toBeVisible({ timeout: 60_000 });

  await typedLongAgo(admin.userId);
  const downloaded = page.waitForEvent('download');
  const actions = button(page, /^Actions for linkmarket-backup-/);
  await choose(actions, 'Download');
  await confirm();
  expect((await downloaded).suggestedFilename()).toMatch(/^linkmarket-backup-.+\.lmbackup$/);

  await typedLongAgo(admin.userId);
  const restore = (await openMenu(actions)).getByRole('menuitem', { name: 'Restore' });
  const id = /restore=([^&]+)/.exec((await restore.getAttribute('href')) ?? '')?.[1];
  await page.goto(`/dashboard/features/backup/${id}/download`);
  await expect(page).toHaveURL(/\/dashboard\/confirm\?next=/);
  await expectNoViolation(page);
  const again = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Confirm and download' }).click();
  await confirm();
  expect((await again).suggestedFilename()).toMatch(/^linkmarket-backup-.+\.lmbackup$/);
});
