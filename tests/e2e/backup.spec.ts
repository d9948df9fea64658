import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { expectNoViolation } from './expect-no-violation';
import { button, choose } from './find';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test.describe.configure({ timeout: 180_000 });

const path = '/dashboard/features/backup';

test(
  'an admin creates, downloads, uploads, checks and deletes a backup',
  expecting('400 POST /dashboard/features/backup/upload'),
  async ({ page }) => {
    await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, path);
    await expect(page.getByText('Idle')).toBeVisible();
    await page.getByRole('button', { name: 'Start backup' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Complete' })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('progressbar', { name: 'Backup progress' })).toHaveAttribute('aria-valuenow', '100');

    const download = page.waitForEvent('download');
    await choose(button(page, /^Actions for linkmarket-backup-/), 'Download');
    const archive = await (await download).path();
    expect((await download).suggestedFilename()).toMatch(/^linkmarket-backup-.+\.lmbackup$/);

    await page
      .getByLabel('Archive', { exact: true })
      .setInputFiles({ name: 'no.lmbackup', mimeType: 'application/octet-stream', buffer: Buffer.from('no') });
    await expect(page.getByText('This file is not a backup of this application, or it is damaged.')).toBeVisible();

    await page.getByLabel('Archive', { exact: true }).setInputFiles(archive);
    const dialog = page.getByRole('dialog', { name: 'Restore a backup' });
    await expect(dialog).toBeVisible({ timeout: 60_000 });
    await expect(
      dialog
        .getByRole('alert')
        .or(dialog.getByText(/The archive is complete|Money has moved/))
        .first(),
    ).toBeVisible({
      timeout: 60_000,
    });
    // The report has only text: while it scrolls, it can have the focus. It is short if other tests have moved money.
    const body = dialog.locator('.dialog-body');
    await expect(body).not.toHaveAttribute('tabindex');
    await page.setViewportSize({ width: 1440, height: 200 });
    await expect(body).toHaveAttribute('tabindex', '0');
    await expectNoViolation(page);
    await page.keyboard.press('Escape');
    await page.waitForURL(`**${path}`);

    const uploaded = page.getByRole('row').filter({ hasText: 'uploaded by' }).first();
    await choose(button(uploaded, /^Actions for /), 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expectNoViolation(page);
  },
);
