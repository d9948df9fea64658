import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeConsents } from '@/tests/factories/make-consents';
import { linkIn, newestMailTo } from '@/tests/setup/mailbox';
import { expecting, test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

const alert = (page: Page) => page.getByRole('main').getByRole('alert');
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

/** The delays of the page's timers, in milliseconds. */
async function recordDelays(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const timeouts: number[] = [];
    const original = window.setTimeout.bind(window);
    Object.assign(window, {
      timeouts,
      setTimeout: (act: TimerHandler, delay?: number, ...rest: unknown[]) => {
        timeouts.push(delay ?? 0);
        return original(act, delay, ...rest);
      },
    });
  });
  return () =>
    page.evaluate(() => ('timeouts' in window && Array.isArray(window.timeouts) ? window.timeouts.map(Number) : []));
}

test('the customer sign-in shows payments, metrics and its two claims @both-full', async ({ page, isMobile }) => {
  await page.goto('/user/login');
  const advert = isMobile ? page.getByRole('main') : page.getByRole('complementary', { name: 'About LinkMarket' });
  for (const text of [
    'Stripe',
    'PayPal',
    'WeChat Pay',
    'DA/DR, traffic and keyword metrics',
    'Users in 20+ countries',
    'Projects created in under 60 seconds',
  ]) {
    await expect(advert).toContainText(text);
  }
});

for (const portal of ['user', 'admin', 'seller'] as const) {
  test(`the password of the ${portal} sign-in can be shown and hidden without a change @full`, async ({ page }) => {
    await page.goto(`/${portal}/login`);
    const field = page.getByLabel(/^Password/);
    await field.fill('correct horse');
    await expect(field).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(field).toHaveAttribute('type', 'text');
    await expect(field).toHaveValue('correct horse');
    await page.getByRole('button', { name: 'Hide password' }).click();
    await expect(field).toHaveAttribute('type', 'password');
  });

  test(
    `the ${portal} sign-in names missing fields and sends no request without them`,
    expecting(`401 POST /api/${portal}/auth/login`),
    async ({ page }) => {
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
      });
      await page.goto(`/${portal}/login`);
      await signInButton(page).click();
      await expect(page.getByText('Enter your email.')).toBeVisible();
      await expect(page.getByText('Enter your password.')).toBeVisible();
      await expect(page.getByLabel('Email')).toBeFocused();
      await page.getByLabel('Email').fill(`${newId()}@example.com`);
      await page.getByLabel(/^Password/).fill('wrong password');
      // Asked after the correct password only.
      await expect(page.getByLabel(/^I agree/)).toHaveCount(0);
      expect(sent.filter((path) => path.startsWith('/api/'))).toEqual([]);
      await signInButton(page).click();
      await expect(alert(page)).toHaveText('Invalid credentials.');
      // The sign-in page first ends the current session, as the specification requires.
      expect(sent.filter((path) => path.startsWith('/api/')).sort()).toEqual(
        [`/api/${portal}/auth/logout`, '/api/auth/logout', `/api/${portal}/auth/login`].sort(),
      );
    },
  );
}

test('the Seller Lounge links to its forgot-password screen and to the other two portals @full', async ({ page }) => {
  for (const [name, path] of [
    ['Forgot password?', '/seller/forgot'],
    ['User sign in', '/user/login'],
    ['Admin sign in', '/admin/login'],
  ] as const) {
    await page.goto('/seller/login');
    await expect(page.getByRole('heading', { name: 'Seller Lounge' })).toBeVisible();
    await page.getByRole('link', { name }).click();
    await page.waitForURL((url) => url.pathname === path);
  }
});

test(
  'a sign-in before the verification offers a new link @both-full',
  expecting('403 POST /api/user/auth/login'),
  async ({ page }) => {
    const { email } = await makeAccount({ status: 'Pending' });
    await makeConsents(email);
    await page.goto('/user/login');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel(/^Password/).fill(testPassword);
    await signInButton(page).click();
    await expect(alert(page)).toContainText('Please verify your email address first. Check your inbox for the link.');
    const resend = page.getByRole('button', { name: 'Resend link' });

    await page.route('**/api/user/auth/verify/resend', (route) => route.abort());
    await resend.click();
    await expect(page.getByText('Couldn’t send right now. Try again later.')).toBeVisible();
    await page.unroute('**/api/user/auth/verify/resend');
    await resend.click();
    await expect(page.getByText('If the email exists and is pending, a new link was sent.')).toBeVisible();
    await expect(resend).toBeHidden();

    await page.goto(linkIn(await newestMailTo(email)).href);
    await page.getByRole('button', { name: 'Verify email' }).click();
    await expect(page.getByText('Email verified! Redirecting…')).toBeVisible();
    await page.waitForURL((url) => url.pathname === '/user');
  },
);

for (const [status, text] of [
  ['Suspended', 'This account is suspended. Please contact support.'],
  ['Expired', 'This account has expired. Please contact support.'],
] as const) {
  test(
    `a ${status} account gets that message after the correct password, and no link @full`,
    expecting('403 POST /api/seller/auth/login'),
    async ({ page }) => {
      const { email } = await makeAccount({ status, role: 'Seller' });
      await page.goto('/seller/login');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel(/^Password/).fill(testPassword);
      await signInButton(page).click();
      await expect(alert(page)).toHaveText(text);
      await expect(page.getByRole('button', { name: 'Resend link' })).toHaveCount(0);
    },
  );
}

/** Holds the navigation until it is released, on any machine. */
async function holdPage(page: Page, path: string): Promise<() => void> {
  let release: (() => void) | undefined;
  const isFree = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      await isFree;
      await route.continue();
    },
  );
  return () => release?.();
}

test.describe('the delay before a redirect', () => {
  test('is 1.2 seconds after a verification, which leads to the customer area @full', async ({ page }) => {
    const delays = await recordDelays(page);
    await page.route('**/api/user/auth/verify?*', (route) =>
      route.fulfill({ json: { ok: true, email: 'ann@example.com', home: '/user' } }),
    );
    await page.goto('/verify-email?token=any');
    await page.getByRole('button', { name: 'Verify email' }).click();
    await expect(page.getByText('Email verified! Redirecting…')).toBeVisible();
    expect(await delays()).toContain(1_200);
    await page.waitForURL((url) => url.pathname === '/user/login' && url.searchParams.get('next') === '/user');
  });

  for (const [portal, destination] of [
    ['user', '/user/login'],
    ['seller', '/seller/login'],
  ] as const) {
    test(`is 1.5 seconds after a reset, which leads to ${destination} @full`, async ({ page }) => {
      const delays = await recordDelays(page);
      await page.route('**/api/user/auth/reset', (route) => route.fulfill({ json: { ok: true } }));
      await page.goto(`/${portal}/forgot?token=any`);
      const release = await holdPage(page, destination);
      await page.getByLabel('New password').fill('a long enough password');
      await page.getByLabel('Confirm password').fill('a long enough password');
      await page.getByRole('button', { name: 'Update password' }).click();
      await expect(page.getByText('Password updated. Redirecting to sign in…')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Update password' })).toBeDisabled();
      expect(await delays()).toContain(1_500);
      release();
      await page.waitForURL((url) => url.pathname === destination);
    });
  }
});
