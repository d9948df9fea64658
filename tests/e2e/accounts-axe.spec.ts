import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { appCode } from '@/tests/setup/app-code';
import { expectNoViolation } from './expect-no-violation';
import { accountButton, openMenu } from './find';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

// Many pages in one test, because a browser for each would take longer than the pages.
test.describe.configure({ timeout: 240_000 });

/** A new unused address each time, so that rate limits do not add up. */
const stranger = () => `${newId()}@example.com`;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const alert = (page: Page) => page.getByRole('main').getByRole('alert');

async function fillSignIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await press(page, 'Sign in');
  await expect(alert(page)).toBeVisible();
}

async function fillReset(page: Page) {
  await page.getByLabel('New password').fill('a long enough password');
  await page.getByLabel('Confirm password').fill('a long enough password');
  await press(page, 'Update password');
}

async function openCreateAccount(page: Page) {
  await page.getByText('Create account').click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

type Screen = { name: string; path: string; reach: (page: Page) => Promise<unknown> };

/** Account screens without a session in each visual state; every-page.spec.ts checks their initial state. */
const open: Screen[] = [
  { name: 'nothing filled in', path: '/user/login', reach: (page) => press(page, 'Sign in') },
  { name: 'denied', path: '/user/login', reach: (page) => fillSignIn(page, stranger(), 'wrong password') },
  {
    name: 'not verified, new link sent',
    path: '/user/login',
    reach: async (page) => {
      await fillSignIn(page, (await makeAccount({ status: 'Pending' })).email, testPassword);
      await expectNoViolation(page);
      await press(page, 'Resend link');
      await expect(page.getByText('If the email exists and is pending, a new link was sent.')).toBeVisible();
    },
  },
  {
    name: 'Create account with messages, then done',
    path: '/user/login',
    reach: async (page) => {
      await openCreateAccount(page);
      await expectNoViolation(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email').fill('ann');
      await dialog.getByLabel(/^Password/).fill('short');
      await expect(dialog.getByText('Email format looks invalid.')).toBeVisible();
      await expectNoViolation(page);
      await page.route('**/api/user/auth/register', (route) => route.fulfill({ json: { ok: true } }));
      await dialog.getByLabel('Email').fill('ann@example.com');
      await dialog.getByLabel(/^Password/).fill('a long enough password');
      await dialog.getByLabel('I agree to the terms').check();
      await dialog.getByRole('button', { name: 'Create account' }).click();
      await expect(dialog.getByText(/^Account created!/)).toBeVisible();
    },
  },
  {
    name: 'Forgot password, then sent',
    path: '/user/login',
    reach: async (page) => {
      await page.getByText('Forgot password').click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toBeVisible();
      await expectNoViolation(page);
      await dialog.getByLabel('Email').fill(stranger());
      await dialog.getByRole('button', { name: 'Send reset link' }).click();
      await expect(dialog.getByText(/^If that email exists/)).toBeVisible();
    },
  },
  { name: 'seller, Create account', path: '/seller/login', reach: openCreateAccount },
  { name: 'older registration, empty', path: '/register', reach: (page) => press(page, 'Register') },
  {
    name: 'verification without a token, new link sent',
    path: '/verify-email',
    reach: async (page) => {
      await expect(alert(page)).toHaveText('Missing verification token.');
      await page.getByLabel('Email').fill(stranger());
      await press(page, 'Resend link');
      await expect(page.getByText('If the email exists and is pending, a new link was sent.')).toBeVisible();
    },
  },
  {
    name: 'verification failed',
    path: '/verify-email?token=x',
    reach: async (page) => {
      await press(page, 'Verify email');
      await expect(alert(page)).toBeVisible();
    },
  },
  {
    name: 'forgot screen, then sent',
    path: '/user/forgot',
    reach: async (page) => {
      await page.getByLabel('Email').fill(stranger());
      await press(page, 'Send reset link');
      await expect(page.getByText(/^If the email exists, we’ve sent/)).toBeVisible();
    },
  },
  {
    name: 'reset, too short and then refused',
    path: '/user/forgot?token=some',
    reach: async (page) => {
      await page.getByLabel('New password').fill('a');
      await press(page, 'Update password');
      await expectNoViolation(page);
      await fillReset(page);
      await expect(alert(page)).toBeVisible();
    },
  },
];

const guarded = [
  ['user', 'User', '/user/security'],
  ['seller', 'Seller', '/seller/security'],
  ['admin', 'Admin', '/dashboard/security'],
] as const;

test(
  'axe finds no violation on the account screens @both @full',
  expecting(
    '400 GET /api/user/auth/verify',
    '400 POST /api/user/auth/reset',
    '401 POST /api/*/auth/login',
    '403 POST /api/user/auth/login',
  ),
  async ({ page }) => {
    for (const { name, path, reach } of open) {
      await test.step(name, async () => {
        await page.goto(path, { waitUntil: 'networkidle' });
        await reach(page);
        await expectNoViolation(page);
      });
    }
  },
);

for (const [portal, role, path] of guarded) {
  test(`axe finds no violation in the ${portal} shell and on ${path} @both @full`, async ({ page, isMobile }) => {
    await signInAs(page, portal, (await makeAccount({ role })).email, path);
    await press(page, 'Change password');
    await expect(page.getByText('Enter your current password.')).toBeVisible();
    await expectNoViolation(page);
    await openMenus(page, isMobile);
    if (portal === 'admin') await openSignOutDialog(page);
    if (portal !== 'user') await setUpTwoStep(page);
  });
}

async function openMenus(page: Page, isMobile: boolean) {
  if (isMobile) {
    await press(page, 'Open menu');
    await expectNoViolation(page);
    await press(page, 'Close menu');
  }
  const menu = await openMenu(accountButton(page));
  await expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(accountButton(page)).toBeFocused();
}

async function openSignOutDialog(page: Page) {
  await page.getByLabel('Account email').fill('unknown@example.com');
  await press(page, 'End all sessions');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'End all sessions' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expectNoViolation(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

async function setUpTwoStep(page: Page) {
  await press(page, 'Set up two-step sign-in');
  await expectNoViolation(page);
  await page.getByLabel('Your password').fill(testPassword);
  await press(page, 'Continue');
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectNoViolation(page);
  const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
  await page.getByLabel('Code', { exact: false }).fill(appCode(secret));
  await press(page, 'Turn on');
  await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible();
  await expectNoViolation(page);
  await press(page, 'I’ve saved them');
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
  await expectNoViolation(page);
}
