import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { recoveryCodes } from '@/db/schema/users';
import { sessionCookieName } from '@/lib/auth/session-token';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeConsents } from '@/tests/factories/make-consents';
import { appCode } from '@/tests/setup/app-code';
import { accountButton, choose } from './find';
import { signIn, signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

const password = 'a new and long password';
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const codeList = (page: Page) => page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');

/** A seller with two-step sign-in, signed in by code; the app's current code is used. */
async function withTwoStep(page: Page) {
  const account = await makeAccount({ role: 'Seller' });
  await makeConsents(account.email);
  const { secret } = await beginTotp(account, testPassword);
  const { recoveryCodes: codes } = await confirmTotp(account, appCode(secret, -1));
  await page.goto('/seller/login');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel(/^Password/).fill(testPassword);
  await press(page, 'Sign in');
  await page.getByLabel('Authentication code').fill(appCode(secret));
  await press(page, 'Sign in');
  await page.waitForURL((url) => url.pathname === '/seller');
  return { account, codes };
}

test("an admin ends a user's sessions, whose next request opens the sign-in page @both-full", async ({
  page,
  browser,
}) => {
  const buyer = await makeAccount();
  const theirs = await (await browser.newContext()).newPage();
  await signIn(theirs, 'user', buyer.email);
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, '/dashboard/security');
  const card = page.getByRole('region', { name: 'Sign out a user' });
  const end = card.getByRole('button', { name: 'End all sessions' });
  const dialog = page.getByRole('alertdialog');

  await end.click();
  await expect(card.getByText('Enter your email.')).toHaveCount(0);
  await expect(card.getByText('Enter the user’s email.')).toBeVisible();
  await expect(card.getByLabel('Account email')).toBeFocused();

  await card.getByLabel('Account email').fill('unknown@example.com');
  await end.click();
  await dialog.getByRole('button', { name: 'End all sessions' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('No account has this email.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await card.getByLabel('Account email').fill(buyer.email.toUpperCase());
  await end.click();
  await expect(dialog).toContainText(buyer.email.toUpperCase());
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await theirs.goto('/user/wallet');
  await expect(theirs).toHaveURL(/\/user\/wallet$/);

  await end.click();
  await dialog.getByRole('button', { name: 'End all sessions' }).click();
  await expect(page.getByText(`${buyer.email} was signed out: 1 session ended.`)).toBeVisible();
  await expect(card.getByLabel('Account email')).toHaveValue('');
  await theirs.goto('/user/wallet');
  await theirs.waitForURL((url) => url.pathname === '/user/login' && url.searchParams.get('next') === '/user/wallet');
  await theirs.context().close();
});

test("a user without ManageUsers cannot end others' sessions @full", async ({ page }) => {
  await signInAs(page, 'seller', (await makeAccount({ role: 'Seller' })).email, '/seller/security');
  await expect(page.getByRole('region', { name: 'Sessions' })).toBeVisible();
  await expect(page.getByText('Sign out a user')).toHaveCount(0);
});

test(
  'new recovery codes replace the earlier ones @both-full',
  expecting('401 POST /api/seller/auth/login'),
  async ({ page, context }) => {
    const { account, codes } = await withTwoStep(page);
    await page.goto('/seller/security');
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
    await press(page, 'New recovery codes');
    await page.getByLabel('Your password').fill('wrong');
    await press(page, 'Create new codes');
    await expect(page.getByText('The password is incorrect.')).toBeVisible();
    await page.getByLabel('Your password').fill(testPassword);
    await press(page, 'Create new codes');
    await expect(codeList(page)).toHaveCount(10);
    const fresh = await codeList(page).allTextContents();
    expect(fresh.filter((code) => codes.includes(code))).toEqual([]);
    await press(page, 'I’ve saved them');
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible();

    await context.clearCookies();
    await page.goto('/seller/login');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel(/^Password/).fill(testPassword);
    await press(page, 'Sign in');
    await page.getByLabel('Authentication code').fill(codes[0] ?? '');
    await press(page, 'Sign in');
    await expect(page.getByText('That code is incorrect. Enter the current one.')).toBeVisible();
    await page.getByLabel('Authentication code').fill(fresh[0] ?? '');
    await press(page, 'Sign in');
    await page.waitForURL((url) => url.pathname === '/seller');
    await page.goto('/seller/security');
    await expect(page.getByText('9 recovery codes are left.')).toBeVisible();
  },
);

test(
  'a user with few recovery codes is advised to create new ones @full',
  expecting('401 POST /api/seller/auth/login'),
  async ({ page }) => {
    const { account } = await withTwoStep(page);
    await db()
      .update(recoveryCodes)
      .set({ usedAt: sql`now()` })
      .where(sql`${recoveryCodes.userId} = ${account.userId}`);
    await page.goto('/seller/security');
    await expect(page.getByText('All recovery codes are used. Create new ones while you can sign in.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'New recovery codes' })).toBeVisible();
  },
);

test.describe('copying the recovery codes', () => {
  async function showCodes(page: Page) {
    await withTwoStep(page);
    await page.goto('/seller/security');
    await press(page, 'New recovery codes');
    await page.getByLabel('Your password').fill(testPassword);
    await press(page, 'Create new codes');
    await expect(codeList(page)).toHaveCount(10);
    return codeList(page).allTextContents();
  }

  /** The content of a paste. */
  async function pasted(page: Page) {
    await page.evaluate(() => {
      const box = document.createElement('textarea');
      box.id = 'paste-here';
      document.body.append(box);
      box.focus();
    });
    await page.keyboard.press('ControlOrMeta+V');
    return page.locator('#paste-here').inputValue();
  }

  test(
    'works on plain http, where the page has no clipboard API @full',
    expecting('401 POST /api/seller/auth/login'),
    async ({ page }) => {
      await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
      const codes = await showCodes(page);
      await press(page, 'Copy');
      await expect(page.getByText('Recovery codes copied.')).toBeVisible();
      expect(await pasted(page)).toBe(`${codes.join('\n')}\n`);
    },
  );

  test(
    'shows instructions where the browser blocks copying @full',
    expecting('401 POST /api/seller/auth/login'),
    async ({ page }) => {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined });
        document.execCommand = () => false;
      });
      await showCodes(page);
      await press(page, 'Copy');
      await expect(page.getByText('Select the codes and copy them, or download them.')).toBeVisible();
    },
  );
});

test.describe('the security page', () => {
  test('ends another session, whose cookie is invalid afterwards', async ({ page, browser, context }) => {
    const { email } = await makeAccount();
    await signInAs(page, 'user', email);
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0';
    const other = await (await browser.newContext({ userAgent: agent })).newPage();
    await signInAs(other, 'user', email);

    await choose(accountButton(page), 'Security');
    await page.waitForURL('**/user/security');
    const lines = page.getByRole('listitem').filter({ hasText: 'Signed in' });
    await expect(lines).toHaveCount(2);
    await expect(lines.first()).toContainText('This session');
    await page.getByRole('button', { name: 'End session: Firefox on Windows' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
    await expect(lines).toHaveCount(1);
    await other.goto('/user/wallet');
    await other.waitForURL('**/user/login?next=*');

    await signInAs(other, 'user', email);
    await page.reload();
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all other sessions' }).click();
    await expect(lines).toHaveCount(1);
    await other.goto('/user');
    await other.waitForURL('**/user/login?next=*');

    // A copy of the cookie after the owner's logout.
    const [kept] = (await context.cookies()).filter(({ name }) => name === sessionCookieName());
    if (!kept) throw new Error('No cookie');
    await choose(accountButton(page), 'Logout');
    await page.waitForURL('**/user/login');
    await context.addCookies([kept]);
    await page.goto('/user');
    await page.waitForURL('**/user/login?next=*');
    await other.context().close();
  });

  test('changes the password and ends the other sessions', async ({ page, browser }) => {
    const { email } = await makeAccount();
    await signInAs(page, 'user', email);
    const other = await (await browser.newContext()).newPage();
    await signIn(other, 'user', email);
    await page.goto('/user/security');
    await expect(page.getByText('Two-step sign-in', { exact: true })).toBeVisible();
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password', { exact: false }).first().fill(password);
    await page.getByLabel('Confirm new password').fill('different');
    await press(page, 'Change password');
    await expect(page.getByText('Passwords do not match.')).toBeVisible();
    await page.getByLabel('Confirm new password').fill(password);
    await press(page, 'Change password');
    await expect(page.getByText('The current password is incorrect.')).toBeVisible();
    await page.getByLabel('Current password').fill(testPassword);
    await press(page, 'Change password');
    await expect(page.getByText('Password changed. Your other sessions were ended.')).toBeVisible();
    await other.goto('/user');
    await other.waitForURL('**/user/login?next=*');
    await other.goto('/user/login');
    await other.getByLabel('Email').fill(email);
    await other.getByLabel(/^Password/).fill(password);
    await press(other, 'Sign in');
    await other.waitForURL((url) => url.pathname === '/user');
    await other.context().close();
  });

  for (const [portal, role, path] of [
    ['admin', 'Admin', '/dashboard/security'],
    ['seller', 'Seller', '/seller/security'],
  ] as const) {
    test(`sets up and disables two-step sign-in: ${portal}${portal === 'admin' ? '' : ' @full'}`, async ({ page }) => {
      const { email } = await makeAccount({ role });
      await signInAs(page, portal, email, path);
      await press(page, 'Set up two-step sign-in');
      await page.getByLabel('Your password').fill('wrong');
      await press(page, 'Continue');
      await expect(page.getByText('The password is incorrect.')).toBeVisible();
      await page.getByLabel('Your password').fill(testPassword);
      await press(page, 'Continue');
      await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
      const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
      await page.getByLabel('Code', { exact: false }).fill('000000');
      await press(page, 'Turn on');
      await expect(page.getByText('That code is incorrect. Enter the current one.')).toBeVisible();
      await page.getByLabel('Code', { exact: false }).fill(appCode(secret));
      await press(page, 'Turn on');
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await expect(codes).toHaveCount(10);
      const shown = await codes.allTextContents();
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')]);
      expect(await readFile(await download.path(), 'utf8')).toBe(`${shown.join('\n')}\n`);
      await press(page, 'I’ve saved them');
      await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
      await page.reload();
      await expect(page.getByText(shown[0] ?? '')).toBeHidden();
      await press(page, 'Turn off');
      await page.getByLabel('Your password').fill(testPassword);
      await press(page, 'Turn off');
      await expect(page.getByText('Two-step sign-in is off.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Set up two-step sign-in' })).toBeVisible();
    });
  }
});
