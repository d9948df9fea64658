import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { users } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { requestPayout } from '@/lib/payouts/request';
import { findNewestDocument, listConsents } from '@/lib/settings/legal/documents';
import { makeAccount } from '@/tests/factories/make-account';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { pngOf } from '@/tests/factories/picture-of';
import { expectNoViolation } from './expect-no-violation';
import { signIn, signInAs } from './sign-in';
import { test } from './watched-test';

const screen = (name: string) => `/dashboard/features/${name}`;

async function openAsAdmin(page: Page, path: string) {
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, path);
}
const accentOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());

test.afterEach(async () => {
  await db().delete(settings);
});

test('an admin renames and recolours every portal, and resets it', async ({ page, browser }) => {
  await openAsAdmin(page, screen('branding'));
  await page.getByLabel('Name').fill('Acme Links');
  await page.getByLabel('Tagline').fill('Links that last');
  await page.getByRole('textbox', { name: /^Primary color/ }).fill('#ffff00');
  await expect(page.getByText('have a contrast of 1.21:1 in the light theme; 4.5:1 is required.')).toBeVisible();
  await page.getByRole('button', { name: 'Save branding' }).click();
  await expect(page.getByRole('textbox', { name: /^Primary color/ })).toBeFocused();
  await page.getByRole('textbox', { name: /^Primary color/ }).fill('#be185d');
  await page.getByLabel('Logo file').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no') });
  await page.getByRole('button', { name: 'Save branding' }).click();
  await expect(page.getByText('The logo must be a PNG, JPEG or WebP image.')).toBeVisible();
  await page.getByLabel('Logo file').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: pngOf(160, 40) });
  await page.getByRole('button', { name: 'Save branding' }).click();
  await expect(page.getByText('Branding saved. It applies everywhere.')).toBeVisible();
  await expect(page).toHaveTitle('Branding · Acme Links');
  await expect.poll(() => accentOf(page)).toBe('#be185d');

  // A visitor at the sign-in pages, and a seller in their portal.
  const stranger = await (await browser.newContext()).newPage();
  for (const path of ['/user/login', '/seller/login', '/admin/login', '/register']) {
    await stranger.goto(path);
    await expect(stranger).toHaveTitle(/ · Acme Links$/);
    await expect(stranger.getByRole('banner').getByText('Acme Links')).toBeVisible();
    expect(await accentOf(stranger)).toBe('#be185d');
    const logo = stranger.getByRole('banner').locator('img').first();
    await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(160);
  }
  await signInAs(stranger, 'seller', (await makeAccount({ role: 'Seller' })).email);
  await expect(stranger.getByText('Acme Links').first()).toBeVisible();

  await page.getByRole('button', { name: 'Reset to default' }).click();
  const question = page.getByRole('alertdialog', { name: 'Reset branding to default?' });
  await question.getByRole('button', { name: 'Reset branding' }).click();
  await expect(page).toHaveTitle('Branding · LinkMarket');
  await expect(page.getByLabel('Name')).toHaveValue('LinkMarket');
});

test('an admin publishes the terms, and a registration agrees to their version', async ({ page, browser }) => {
  await openAsAdmin(page, screen('branding'));
  const terms = page
    .locator('form')
    .filter({ has: page.getByRole('button', { name: /^Publish version/ }) })
    .first();
  await terms
    .getByLabel('Text')
    .fill('# Rules\n\nBe kind.\n<script>alert(1)</script>\n\n- See https://example.com/rules.');
  await terms.getByRole('button', { name: /^Publish version/ }).click();
  await expect(page.getByText(/^Terms of service: version \d+ published\.$/)).toBeVisible();

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto('/user/login');
  await stranger.getByRole('link', { name: 'Terms of service', exact: true }).click();
  await stranger.waitForURL('**/terms');
  await expect(stranger.getByRole('heading', { level: 2, name: 'Rules' })).toBeVisible();
  await expect(stranger.getByText('<script>alert(1)</script>')).toBeVisible();
  await expect(stranger.getByRole('link', { name: 'https://example.com/rules' })).toBeVisible();
  await expectNoViolation(stranger);

  const email = `${newId()}@example.com`;
  await stranger.goto('/register');
  await stranger.getByLabel('Full name').fill('Ann');
  await stranger.getByLabel('Email').fill(email);
  await stranger.getByLabel(/^Password/).fill('a new and long password');
  await stranger.getByRole('button', { name: 'Register' }).click();
  await expect(stranger.getByText('You must agree to the terms to continue.')).toBeVisible();
  await expectNoViolation(stranger);
  await stranger.getByLabel(/^I agree to the terms of service/).check();
  await stranger.getByRole('button', { name: 'Register' }).click();
  await expect(stranger.getByText(/^Account created!/)).toBeVisible();
  const [user] = await db().select().from(users).where(eq(users.email, email));
  const newest = await findNewestDocument('terms');
  expect(await listConsents(user?.id ?? '')).toContainEqual(
    expect.objectContaining({ kind: 'terms', version: newest?.version }),
  );
  await page.goto(screen(`users/${user?.id}`));
  await expect(page.getByText(`Agreed to version ${newest?.version}`)).toBeVisible();
});

test('concurrent changes of two admins: the second gets a conflict @full', async ({ page, browser }) => {
  await openAsAdmin(page, screen('branding'));
  const other = await (await browser.newContext()).newPage();
  await openAsAdmin(other, screen('branding'));
  await page.getByLabel('Name').fill('First');
  await page.getByRole('button', { name: 'Save branding' }).click();
  await expect(page.getByText('Branding saved.')).toBeVisible();

  await other.getByLabel('Name').fill('Second');
  await other.getByRole('button', { name: 'Save branding' }).click();
  await expect(other.getByText('The branding was changed by another user in the meantime.')).toBeVisible();
  await expect(other.getByText('LinkMarket → First')).toBeVisible();
  await expect(other.getByLabel('Name')).toHaveValue('Second');
  await other.getByRole('button', { name: 'Save branding' }).click();
  await expect(other).toHaveTitle('Branding · Second');
});

test('a flag disables its feature for every user, and enables it again', async ({ page, browser }) => {
  await openAsAdmin(page, screen('feature-flags'));
  const buyer = await (await browser.newContext()).newPage();
  await signIn(buyer, 'user', (await makeAccount()).email);
  const turnOff = async (name: string) => {
    await page.getByRole('switch', { name }).click();
    await page
      .getByRole('alertdialog', { name: `Turn off “${name}”?` })
      .getByRole('button', { name: 'Turn off' })
      .click();
    await expect(page.getByRole('switch', { name })).not.toBeChecked();
  };

  await turnOff('Marketplace');
  await buyer.goto('/user/marketplace');
  await expect(buyer.getByText('The marketplace is closed right now. Your orders continue.')).toBeVisible();
  expect((await buyer.request.get('/api/guest-posts?limit=1')).status()).toBe(503);
  await buyer.goto('/user/projects');
  await expect(buyer.getByRole('link', { name: 'Wallet', exact: true })).toBeVisible();
  await expect(buyer.getByRole('link', { name: 'Marketplace' })).toHaveCount(0);
  await page.getByRole('switch', { name: 'Marketplace' }).click();
  await expect(page.getByRole('switch', { name: 'Marketplace' })).toBeChecked();
  await buyer.goto('/user/marketplace');
  await expect(buyer.getByText('priced in USD and paid from your wallet')).toBeVisible();

  await turnOff('Customer registration');
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto('/register');
  await expect(stranger.getByText('New accounts cannot be created right now.')).toBeVisible();
  await stranger.goto('/user/login');
  await expect(stranger.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(stranger.getByText('Create account')).toHaveCount(0);
  const sent = { name: 'A', email: `${newId()}@example.com`, password: 'a long password' };
  expect((await stranger.request.post('/api/user/auth/register', { data: sent })).status()).toBe(503);

  await turnOff('SERP preview');
  await page.goto(screen('serp-preview'));
  await expect(page.getByText('The SERP preview is turned off right now.')).toBeVisible();
});

test('two admins at one switch: the second gets a conflict @full', async ({ page }) => {
  await openAsAdmin(page, screen('feature-flags'));
  await db().insert(settings).values({ key: 'flag.topup-wechat', value: false });
  await page.getByRole('switch', { name: 'Top-ups by WeChat Pay' }).click();
  const question = page.getByRole('alertdialog', { name: 'Turn off “Top-ups by WeChat Pay”?' });
  await question.getByRole('button', { name: 'Turn off' }).click();
  await expect(question.getByText('Top-ups by WeChat Pay was changed by another user in the meantime.')).toBeVisible();
  expect((await db().select().from(settings).where(eq(settings.key, 'flag.topup-wechat')))[0]?.version).toBe(1);
});

test('another brand colour causes no axe violation @full', async ({ page }) => {
  const colors = { primaryColor: '#0f766e', secondaryColor: '#b45309' };
  const texts = { siteName: 'Acme Links', tagline: '', supportEmail: '', postalAddress: '', logo: null };
  await db()
    .insert(settings)
    .values({ key: 'branding', value: { ...texts, ...colors } });
  await page.goto('/user/login');
  await expectNoViolation(page);
  await openAsAdmin(page, screen('branding'));
  await expectNoViolation(page);
});

test('earlier payouts stay visible while payouts are turned off @full', async ({ page }) => {
  const seller = await makePayableSeller(9_000, { seller: await makeAccount({ role: 'Seller' }) });
  await requestPayout(seller, {});
  const other = await makeAccount({ role: 'Seller' });
  await db().insert(settings).values({ key: 'flag.payouts', value: false });
  await signInAs(page, 'seller', seller.email, '/seller/payouts');
  await expect(page.getByText('Payouts are turned off right now.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Payouts' })).toContainText('$90.00');
  await expect(page.getByRole('link', { name: 'Payouts' })).toHaveCount(0);
  await signInAs(page, 'seller', other.email, '/seller/payouts');
  await expect(page.getByText('Payouts are turned off right now.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Payouts' })).toHaveCount(0);
  await page.goto('/seller/earnings');
  await expect(page.getByRole('main')).not.toContainText(/payout|self-billing/i);
  await page.goto('/seller/earnings/statement');
  await expect(page.getByText('This page does not exist')).toBeVisible();
});
