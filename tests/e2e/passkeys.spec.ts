import { expect, type Page } from '@playwright/test';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/**
 * Signs a seller in with a passkey. The full page load ends the sign-in: before it the router may already show the same
 * address.
 */
async function signInByPasskey(page: Page, button: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await press(page, button);
  await loaded;
  await page.waitForURL((url) => url.pathname === '/seller');
}

/** A virtual authenticator of Chromium that verifies the user. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test(
  'a passkey signs in alone and as the second step, not in another portal, and not after its removal',
  expecting('401 POST /api/seller/auth/login'),
  async ({ page, context }) => {
    const account = await makeAccount({ role: 'Seller' });
    await addAuthenticator(page);
    await signInAs(page, 'seller', account.email, '/seller/security');
    const card = page.getByRole('region', { name: 'Passkeys' });
    await card.getByRole('button', { name: 'Add a passkey' }).click();
    await press(page, 'Continue');
    await expect(card.getByText('Enter a name.')).toBeVisible();
    await card.getByLabel('Passkey name').fill('Work laptop');
    await card.getByLabel('Your password').fill(testPassword);
    await press(page, 'Continue');
    await expect(card.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
    await press(page, 'I’ve saved them');
    await expect(card.getByText('Never used')).toBeVisible();

    await context.clearCookies();
    await page.goto('/admin/login');
    await press(page, 'Use a passkey');
    await expect(page.getByText('Not an admin account.')).toBeVisible();
    await page.goto('/seller/login');
    await signInByPasskey(page, 'Use a passkey');

    await context.clearCookies();
    await page.goto('/seller/login');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel(/^Password/).fill(testPassword);
    await press(page, 'Sign in');
    await expect(page.getByLabel('Authentication code')).toBeVisible();
    await signInByPasskey(page, 'Use a passkey instead');

    await page.goto('/seller/security');
    await expect(card.getByText('Last used')).toBeVisible();
    await card.getByRole('button', { name: 'Remove passkey: Work laptop' }).click();
    await card.getByLabel('Your password').fill(testPassword);
    await press(page, 'Remove passkey');
    await expect(page.getByText('Passkey removed.')).toBeVisible();
    await expect(card.getByText('Work laptop')).toHaveCount(0);
    await context.clearCookies();
    await page.goto('/seller/login');
    await press(page, 'Use a passkey');
    await expect(page.getByText('It may have been removed.')).toBeVisible();
  },
);
