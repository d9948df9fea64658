import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { db } from '@/db/client';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { makeAccount } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { expectNoViolation } from './expect-no-violation';
import { signIn, signInAs } from './sign-in';
import { test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

const path = '/dashboard/features/audit-logs';

test('the audit log filters by days and source, shows changes, and exports the filtered list', async ({ page }) => {
  const admin = await makeAccount({ role: 'Admin' });
  const word = newId();
  await recordAudit(db(), admin, {
    action: 'site.updated',
    details: `=cmd() ${word}`,
    entityType: 'site',
    entityId: 1,
    before: { name: 'old' },
    after: { name: 'new' },
  });
  await signIn(page, 'admin', admin.email);
  const today = new Date().toISOString().slice(0, 10);
  await page.goto(`${path}?q=${word}&source=web&entity=site&from=${today}&to=${today}`);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectNoViolation(page);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv.split('\r\n')).toHaveLength(3);
  expect(csv).toContain(`'=cmd() ${word}`);

  await page.getByRole('link', { name: /^Details of entry/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('cell', { name: 'old' })).toBeVisible();
  await expect(dialog.getByRole('cell', { name: 'new' })).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press('Escape');

  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.waitForURL(/to=2020-01-01/);
  await expect(page.getByText('No matching entries')).toBeVisible();
});

test('staff without the permission get a message @both-full', async ({ page }) => {
  await signInAs(page, 'admin', (await makeStaff()).email, path);
  await expect(page.getByText('Unable to load audit logs. You might not have permission.')).toBeVisible();
  const refused = await page.request.get(`${path}/export`);
  expect(refused.status()).toBe(403);
});
