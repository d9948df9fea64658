import { expect } from '@playwright/test';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test('a stranger reads the guide in another language, and the reference of an operation @both @full', async ({
  page,
}) => {
  await page.goto('/developers');
  await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
  await expect(page.getByText('507 storage_full')).toBeVisible();
  await page.getByRole('group', { name: 'Place an order' }).getByRole('button', { name: 'Python' }).click();
  await expect(page.getByRole('region', { name: 'Place an order in Python' })).toContainText('import json');
  await expect(page.getByRole('region', { name: 'List sites in Python' })).toBeVisible();
  await expectNoViolation(page);

  await page.getByRole('navigation', { name: 'Developers' }).getByRole('link', { name: 'Reference' }).click();
  await page.getByRole('searchbox').fill('approve');
  await expect(page).toHaveURL(/q=approve/);
  await page.getByRole('link', { name: '/api/orders/{id}/approve' }).click();
  await expect(page.getByText('Sign in, or paste a token. It is not stored.')).toBeVisible();
  await expectNoViolation(page);
});

test('a buyer sends requests from the reference, within the Content-Security-Policy @both-full', async ({
  page,
  baseURL,
}) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
  });
  const outside: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseURL) outside.push(request.url());
  });
  const { email, userId } = await makeAccount();
  await fundWallet(userId, 12_345);
  await signInAs(page, 'user', email, '/developers/reference?operation=getWalletBalance');
  await expect(page.getByText(`Signed in as ${email}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Send request' }).click();
  const response = page.getByRole('status').filter({ hasText: '200 OK' });
  await expect(response).toContainText('123.45');
  await expect(response).toContainText('cache-control: private, no-store');
  await expectNoViolation(page);

  // A change is accepted, because it comes from a page of this site.
  await page.goto('/developers/reference?operation=postUserProjects');
  const project = { domain: 'console.example.com', targetUrl: 'https://console.example.com/' };
  const sample: unknown = JSON.parse(await page.getByRole('textbox', { name: 'Body' }).inputValue());
  await page.getByRole('textbox', { name: 'Body' }).fill(
    JSON.stringify({
      ...Object(sample),
      ...project,
      description: 'A shop',
      niche: 'General',
      postType: 'Guest posts',
      keywords: 'spade',
      country: 'USA',
    }),
  );
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('status').filter({ hasText: '201' })).toContainText('console.example.com');
  expect(violations).toEqual([]);
  expect(outside).toEqual([]);
});

test(
  'a pasted token is used instead of the session, and is not stored',
  expecting('401 GET /api/wallet/balance'),
  async ({ page }) => {
    await signInAs(page, 'user', (await makeAccount()).email, '/developers/reference?operation=getWalletBalance');
    await page.getByLabel('Token').fill('lm_not_a_token');
    await page.getByRole('button', { name: 'Send request' }).click();
    await expect(page.getByRole('status').filter({ hasText: '401' })).toContainText('This API token does not exist');
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]) + document.cookie);
    expect(stored).not.toContain('lm_not_a_token');
    await page.reload();
    await expect(page.getByLabel('Token')).toHaveValue('');
  },
);
