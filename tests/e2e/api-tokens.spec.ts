import { expect } from '@playwright/test';
import { makeAccount } from '@/tests/factories/make-account';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

test('a token is created, shown once, used by a program and revoked @both-full', async ({
  page,
  playwright,
  baseURL,
}) => {
  await signInAs(page, 'user', (await makeAccount()).email, '/user/security');
  const card = page.getByRole('region', { name: 'API tokens' });
  await card.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('checkbox', { name: /^read/ })).toBeChecked();
  for (const money of [/^orders:write/, /^wallet:topup/]) {
    await expect(dialog.getByRole('checkbox', { name: money })).not.toBeChecked();
  }
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Reporting script');
  await dialog.getByLabel('Daily spending limit in USD').fill('25');
  await expectNoViolation(page);
  await dialog.getByRole('button', { name: 'Create token' }).click();

  await expect(dialog.getByRole('heading', { name: 'Copy your token' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy token' })).toBeVisible();
  const token = (await dialog.getByTestId('api-token').textContent()) ?? '';
  expect(token).toMatch(/^lm_[0-9A-Za-z]{49}$/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = card.getByRole('listitem').filter({ hasText: 'Reporting script' });
  await expect(row).toContainText(`lm_…${token.slice(-4)}`);
  await expect(row).toContainText('$0.00 of $25.00 spent today');
  await expect(page.getByText(token)).toHaveCount(0);

  const program = await playwright.request.newContext({
    ...(baseURL !== undefined && { baseURL }),
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  const used = await program.get('/api/wallet');
  expect([used.status(), used.headers()['ratelimit-policy']]).toEqual([200, '"token";q=600;w=60']);
  expect((await program.get('/api/tokens')).status()).toBe(403);

  await row.getByRole('button', { name: 'Revoke token: Reporting script' }).click();
  const confirm = page.getByRole('alertdialog');
  await expect(confirm).toContainText('Revoke the token “Reporting script”?');
  await confirm.getByRole('button', { name: 'Revoke token' }).click();
  // The page is hidden from roles while the dialog is open, so its end is awaited first.
  await expect(page.getByText('Reporting script revoked.')).toBeVisible();
  await expect(confirm).toHaveCount(0);
  await expect(row).toHaveCount(0);
  const refused = await program.get('/api/wallet');
  expect([refused.status(), refused.headers()['www-authenticate']]).toEqual([
    401,
    'Bearer realm="LinkMarket", error="invalid_token"',
  ]);
  await program.dispose();
});
