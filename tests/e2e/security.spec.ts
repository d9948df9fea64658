import { expect, type Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { recoveryCodes } from '@/db/schema/users';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeConsents } from '@/tests/factories/make-consents';
import { appCode } from '@/tests/setup/app-code';
import { signIn, signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

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
