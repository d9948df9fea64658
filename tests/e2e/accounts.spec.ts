import { expect, type Page, type Route } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { sessionCookieName } from '@/lib/auth/session-token';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeConsents } from '@/tests/factories/make-consents';
import { appCode } from '@/tests/setup/app-code';
import { linkIn, newestMailTo } from '@/tests/setup/mailbox';
import { signInByForm } from './sign-in';
import { expecting, test } from './watched-test';

// Complete journeys over several pages and mails.
test.describe.configure({ timeout: 120_000 });

const password = 'a new and long password';
const created = 'Account created! Please check your email to verify your account before logging in.';
const newEmail = () => `${newId()}@example.com`;
const userOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0];

/** Replaces the response of a path: by a proxy's page, an empty body, or a failed request. */
const broken = {
  page: (route: Route) => route.fulfill({ status: 502, contentType: 'text/plain', body: 'Bad Gateway' }),
  empty: (route: Route) => route.fulfill({ status: 500, body: '' }),
  json: (route: Route) => route.fulfill({ status: 500, json: {} }),
  network: (route: Route) => route.abort(),
};

async function fillRegistration(page: Page, email: string, given = password) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Ann');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel(/^Password/).fill(given);
  await dialog.getByLabel('I agree to the terms').check();
}

async function fillSignIn(page: Page, portal: 'user' | 'admin' | 'seller', email: string, given = testPassword) {
  await page.goto(`/${portal}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(given);
}

const submit = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test.describe('creating an account', () => {
  test('shows messages while typing, and a mail leads the customer to the dashboard @both-full', async ({ page }) => {
    const email = newEmail();
    await page.goto('/user/login');
    await page.getByText('Create account').click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Create account' });

    await dialog.getByLabel('Email').fill('ann');
    await expect(dialog.getByText('Email format looks invalid.')).toBeVisible();
    await expect(send).toBeDisabled();
    await dialog.getByLabel('Email').fill(email);
    await expect(dialog.getByText('Email format looks invalid.')).toBeHidden();
    await dialog.getByLabel(/^Password/).fill('seven77');
    await expect(dialog.getByText('Password must be at least 8 characters.')).toBeVisible();
    await dialog.getByLabel(/^Password/).fill(password);
    await expect(dialog.getByText('Password must be at least 8 characters.')).toBeHidden();
    await expect(dialog.getByText('You must agree to the terms to continue.')).toBeVisible();
    await expect(send).toBeDisabled();
    await dialog.getByLabel('I agree to the terms').check();
    await expect(send).toBeEnabled();

    await send.click();
    await expect(dialog.getByText(created)).toBeVisible();
    const inbox = page.getByRole('dialog', { name: 'Check your inbox' });
    await expect(inbox.getByText(email)).toBeVisible();
    await inbox.getByRole('button', { name: 'Resend link' }).click();
    await expect(inbox.getByText('If the email exists and is pending, a new link was sent.')).toBeVisible();
    await inbox.getByRole('button', { name: 'Use another email' }).click();
    await expect(dialog.getByLabel('Email')).toHaveValue('');
    await expect(dialog.getByLabel(/^Password/)).toHaveValue('');
    await expect(dialog.getByLabel('I agree to the terms')).not.toBeChecked();
    expect(await userOf(email)).toMatchObject({ status: 'Pending', role: 'User' });

    let verifications = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/user/auth/verify?')) verifications += 1;
    });
    const link = linkIn(await newestMailTo(email, 2)).href;
    await page.goto(link);
    await expect(page.getByText(`Confirm that ${email} is your email address.`)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Verify email' })).toBeEnabled();
    expect(verifications).toBe(0);
    expect(await userOf(email)).toMatchObject({ status: 'Pending' });
    await submit(page, 'Verify email');
    await expect(page.getByText('Email verified! Redirecting…')).toBeVisible();
    await page.waitForURL((url) => url.pathname === '/user');
    expect(verifications).toBe(1);

    // The link of another person replaces no session, and a used one says where to sign in.
    const stranger = await makeAccount({ status: 'Pending' });
    await page.request.post('/api/user/auth/verify/resend', {
      data: { email: stranger.email },
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    await page.goto(linkIn(await newestMailTo(stranger.email)).href);
    await submit(page, 'Verify email');
    await expect(page.getByText(`You are still signed in as ${email}`)).toBeVisible();
    await page.context().clearCookies();
    await page.goto(link);
    await expect(page.getByText('Already verified. Sign in.')).toBeVisible();
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/user/login');
  });

  test('registers a seller in the seller portal @full', async ({ page }) => {
    const email = newEmail();
    await page.goto('/seller/login');
    await page.getByText('Create account').click();
    await fillRegistration(page, email, 'password1');
    const send = page.getByRole('dialog').getByRole('button', { name: 'Create account' });
    await send.click();
    await expect(page.getByText(/easy to guess/)).toBeVisible();
    await page
      .getByRole('dialog')
      .getByLabel(/^Password/)
      .fill(password);
    await send.click();
    await expect(page.getByText(created)).toBeVisible();
    expect(await userOf(email)).toMatchObject({ status: 'Pending', role: 'Seller' });
    await page.goto(linkIn(await newestMailTo(email)).href);
    await submit(page, 'Verify email');
    await page.waitForURL((url) => url.pathname === '/seller');

    // Who only sells is led to the seller portal from the customers' sign-in too.
    await page.context().clearCookies();
    await fillSignIn(page, 'user', email, password);
    await submit(page, 'Sign in');
    await page.waitForURL((url) => url.pathname === '/seller');
  });

  test("shows the server's message or a fallback, and keeps the input @full", async ({ page }) => {
    await page.goto('/user/login');
    await page.getByText('Create account').click();
    await fillRegistration(page, newEmail());
    const dialog = page.getByRole('dialog');
    for (const answer of [broken.page, broken.json, broken.network]) {
      await page.route('**/api/user/auth/register', answer);
      await dialog.getByRole('button', { name: 'Create account' }).click();
      await expect(dialog.getByRole('alert')).toHaveText('Registration failed');
      await page.unroute('**/api/user/auth/register');
    }
    await expect(dialog.getByLabel(/^Password/)).toHaveValue(password);
    await page.route('**/api/user/auth/register', (route) =>
      route.fulfill({ status: 409, json: { error: 'Not today.' } }),
    );
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Not today.');
  });

  test('works on the legacy page, which ends on the inbox @full', async ({ page }) => {
    const email = newEmail();
    await page.goto('/register');
    await submit(page, 'Register');
    await expect(page.getByText('Enter your name.')).toBeVisible();
    await expect(page.getByLabel('Full name')).toBeFocused();
    await page.getByLabel('Full name').fill('Ann');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel(/^Password/).fill(password);
    await page.route('**/api/auth/register', broken.json);
    await submit(page, 'Register');
    await expect(page.getByText('You must agree to the terms to continue.')).toBeVisible();
    await page.getByLabel('I agree to the terms').check();
    await submit(page, 'Register');
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Registration failed.');
    await page.unroute('**/api/auth/register');
    await page.route('**/api/auth/register', broken.network);
    await submit(page, 'Register');
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Server error. Try again later.');
    await page.unroute('**/api/auth/register');
    await submit(page, 'Register');
    await expect(page.getByText(created)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
    expect(await userOf(email)).toMatchObject({ name: 'Ann', status: 'Pending', role: 'User' });
    await page.goto('/register');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/user/login');
  });
});

test.describe('verifying an email', () => {
  const alert = (page: Page) => page.getByRole('main').getByRole('alert');

  test('shows why the link is invalid @full', expecting('400 GET /api/user/auth/verify'), async ({ page }) => {
    await page.goto('/verify-email');
    await expect(alert(page)).toHaveText('Missing verification token.');
    await page.goto('/verify-email?token=nonsense');
    await submit(page, 'Verify email');
    await expect(alert(page)).toHaveText(/^Verification failed\./);
    await page.route('**/api/user/auth/verify?*', broken.json);
    await page.goto('/verify-email?token=one');
    await submit(page, 'Verify email');
    await expect(alert(page)).toContainText('Verification failed.');
    await page.unroute('**/api/user/auth/verify?*');
    await page.route('**/api/user/auth/verify?*', broken.network);
    await page.goto('/verify-email?token=two');
    await submit(page, 'Verify email');
    await expect(alert(page)).toContainText('Network error. Please try again.');
    await page.unroute('**/api/user/auth/verify?*');
    await submit(page, 'Try again');
    await expect(alert(page)).toHaveText(/^Verification failed\./);
  });

  test('sends a new link on request', expecting('400 GET /api/user/auth/verify'), async ({ page }) => {
    const { email } = await makeAccount({ status: 'Pending' });
    await page.goto('/verify-email?token=old');
    await submit(page, 'Verify email');
    await page.getByLabel('Email').fill(email);
    await page.route('**/api/user/auth/verify/resend', broken.network);
    await submit(page, 'Resend link');
    await expect(page.getByText('Couldn’t send right now. Try again later.')).toBeVisible();
    await page.unroute('**/api/user/auth/verify/resend');
    await submit(page, 'Resend link');
    await expect(page.getByText('If the email exists and is pending, a new link was sent.')).toBeVisible();
    await page.goto(linkIn(await newestMailTo(email)).href);
    await submit(page, 'Verify email');
    await expect(page.getByText('Email verified! Redirecting…')).toBeVisible();
    await expect.poll(async () => (await userOf(email))?.status).toBe('Active');
  });
});

test.describe('a forgotten password', () => {
  const sentByDialog = 'If that email exists, a reset link has been sent. Please check your inbox.';
  const sentByScreen = 'If the email exists, we’ve sent a reset link.';

  test(
    'is requested in the dialog and set by the mailed link @both-full',
    expecting('400 POST /api/user/auth/reset'),
    async ({ page }) => {
      const { email } = await makeAccount();
      await page.goto('/user/login');
      await page.getByText('Forgot password').click();
      const dialog = page.getByRole('dialog');
      const send = dialog.getByRole('button', { name: 'Send reset link' });
      await expect(send).toBeDisabled();
      await dialog.getByLabel('Email').fill(email);
      await send.click();
      await expect(dialog.getByText(sentByDialog)).toBeVisible();

      const link = linkIn(await newestMailTo(email));
      expect(link.pathname).toBe('/user/forgot');
      await page.goto(link.href);
      await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
      await page.getByLabel('New password').fill('short');
      await submit(page, 'Update password');
      await expect(page.getByText('Password must be at least 8 characters.')).toBeVisible();
      await page.getByLabel('New password').fill(password);
      await page.getByLabel('Confirm password').fill('something else');
      await submit(page, 'Update password');
      await expect(page.getByText('Passwords do not match.')).toBeVisible();
      await page.getByLabel('Confirm password').fill(password);
      await submit(page, 'Update password');
      await expect(page.getByText('Password updated.')).toBeVisible();
      await page.waitForURL('**/user/login');
      await signInByForm(page, 'user', email, password);

      await page.goto(link.href);
      await page.getByLabel('New password').fill(password);
      await page.getByLabel('Confirm password').fill(password);
      await submit(page, 'Update password');
      await expect(page.getByText('Reset failed. The link may have expired.')).toBeVisible();
    },
  );

  test('leads a seller back to the Seller Lounge @full', async ({ page }) => {
    const { email } = await makeAccount({ role: 'Seller' });
    await page.goto('/seller/login');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.waitForURL('**/seller/forgot');
    await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await submit(page, 'Send reset link');
    await expect(page.getByText(sentByScreen)).toBeVisible();
    const link = linkIn(await newestMailTo(email));
    expect(link.pathname).toBe('/seller/forgot');
    await page.goto(link.href);
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('Confirm password').fill(password);
    await submit(page, 'Update password');
    await page.waitForURL('**/seller/login');
  });

  test('shows the same message without a network, in the dialog and on the screen @full', async ({ page }) => {
    await page.route('**/api/user/auth/forgot', broken.network);
    await page.goto('/user/login');
    await page.getByText('Forgot password').click();
    await page.getByRole('dialog').getByLabel('Email').fill(newEmail());
    await page.getByRole('dialog').getByRole('button', { name: 'Send reset link' }).click();
    await expect(page.getByText(sentByDialog)).toBeVisible();
    await page.goto('/user/forgot');
    await submit(page, 'Send reset link');
    await expect(page.getByText('Enter your email.')).toBeVisible();
    await page.getByLabel('Email').fill(newEmail());
    await submit(page, 'Send reset link');
    await expect(page.getByText(sentByScreen)).toBeVisible();
  });

  test('shows a message for each failure of a reset @full', async ({ page }) => {
    await page.goto('/user/forgot?token=');
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Missing token.');
    await page.goto('/user/forgot?token=some');
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('Confirm password').fill(password);
    for (const [answer, text] of [
      [broken.network, 'Network error. Please try again.'],
      [broken.json, 'Reset failed. The link may have expired.'],
      [broken.page, 'Bad Gateway'],
      [broken.empty, 'Server error'],
    ] as const) {
      await page.route('**/api/user/auth/reset', answer);
      await submit(page, 'Update password');
      await expect(page.getByRole('main').getByRole('alert')).toContainText(text);
      await page.unroute('**/api/user/auth/reset');
    }
  });
});

test.describe('signing in', () => {
  for (const [portal, denied, noSession, network] of [
    ['user', 'Invalid credentials.', 'Could not establish session.', 'Server error. Try again.'],
    ['admin', 'Invalid credentials.', 'Could not establish admin session.', 'Server error. Try again.'],
    ['seller', 'Login failed', 'Login failed', 'Network error. Please try again.'],
  ] as const) {
    test(
      `shows a message for each failure in the ${portal} portal @full`,
      expecting(`401 POST /api/${portal}/auth/login`),
      async ({ page }) => {
        const role = { user: 'User', admin: 'Admin', seller: 'Seller' }[portal];
        const { email } = await makeAccount({ role });
        const alert = page.getByRole('main').getByRole('alert');
        await fillSignIn(page, portal, email, 'wrong');
        await submit(page, 'Sign in');
        await expect(alert).toHaveText('Invalid credentials.');
        await page.getByLabel(/^Password/).fill(testPassword);
        for (const [address, answer, text] of [
          ['login', broken.json, denied],
          ['login', broken.network, network],
          ['me', broken.json, noSession],
        ] as const) {
          await page.route(`**/api/${portal}/auth/${address}`, answer);
          await submit(page, 'Sign in');
          await expect(alert).toHaveText(text);
          await page.unroute(`**/api/${portal}/auth/${address}`);
        }
      },
    );
  }

  test(
    'tells a buyer that the admin area is not available, and leads to the right sign-in @full',
    expecting('403 POST /api/admin/auth/login'),
    async ({ page }) => {
      const { email } = await makeAccount();
      await fillSignIn(page, 'admin', email);
      await submit(page, 'Sign in');
      await expect(page.getByText('Not an admin account.')).toBeVisible();
      await page.getByRole('link', { name: 'User sign in' }).click();
      await page.waitForURL('**/user/login');
      await expect(page.getByLabel('Email')).toHaveValue(email);
      await expect(page.getByText('Email confirmed.')).toHaveCount(0);
    },
  );

  test(
    'requests the second step, keeps the input, and accepts a code or a recovery code',
    expecting('401 POST /api/seller/auth/login'),
    async ({ page, context }) => {
      const account = await makeAccount({ role: 'Seller' });
      await makeConsents(account.email);
      const { secret } = await beginTotp(account, testPassword);
      const { recoveryCodes } = await confirmTotp(account, appCode(secret, -1));
      await fillSignIn(page, 'seller', account.email);
      await expect(page.getByLabel('Authentication code')).toBeHidden();
      await submit(page, 'Sign in');
      const field = page.getByLabel('Authentication code');
      await expect(field).toBeFocused();
      await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
      await expect(page.getByLabel('Email')).toHaveValue(account.email);
      await expect(page.getByLabel(/^Password/)).toHaveValue(testPassword);
      await field.fill('000000');
      await submit(page, 'Sign in');
      await expect(page.getByText('That code is incorrect. Enter the current one.')).toBeVisible();
      await field.fill(appCode(secret));
      await submit(page, 'Sign in');
      await page.waitForURL((url) => url.pathname === '/seller');

      await context.clearCookies();
      await fillSignIn(page, 'seller', account.email);
      await submit(page, 'Sign in');
      await page.getByLabel('Authentication code').fill(recoveryCodes[0] ?? '');
      await submit(page, 'Sign in');
      await page.waitForURL((url) => url.pathname === '/seller');
    },
  );

  const asking = expecting('403 POST /api/user/auth/login');
  test('asks for the agreement once, and remembers only on request', asking, async ({ page, context }) => {
    const { email } = await makeAccount();
    const cookieDays = async () => {
      const expires = (await context.cookies()).find(({ name }) => name === sessionCookieName())?.expires ?? 0;
      return expires === -1 ? -1 : Math.round(expires / 86_400 - Date.now() / 86_400_000);
    };
    await fillSignIn(page, 'user', email);
    await expect(page.getByLabel(/^I agree/)).toHaveCount(0);
    await page.getByLabel('Remember me for 30 days').check();
    await submit(page, 'Sign in');
    await expect(page.getByLabel('I agree to the terms')).toBeVisible();
    await submit(page, 'Sign in');
    await expect(page.getByText('You must agree to the terms to continue.')).toBeVisible();
    await page.getByLabel('I agree to the terms').check();
    await submit(page, 'Sign in');
    await page.waitForURL((url) => url.pathname === '/user');
    expect(await cookieDays()).toBe(30);
    await context.clearCookies();
    await fillSignIn(page, 'user', email);
    await submit(page, 'Sign in');
    await page.waitForURL((url) => url.pathname === '/user');
    expect(await cookieDays()).toBe(-1);
  });
});
