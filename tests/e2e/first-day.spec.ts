import { expect, type Page } from '@playwright/test';
import { describeSetup } from '@/lib/auth/setup-code';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { startSecondInstallation } from '@/tests/setup/second-installation';
import { chooseTheme } from './choose-theme';
import { expectNoViolation } from './expect-no-violation';
import { button } from './find';
import { leaveInstallation } from './leave-installation';
import { openCart } from './open-cart';
import { payButton } from './pay-button';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const phoneSize = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** One installation for both widths: the setup page is used once, and the phone sees it before that. */
test(
  'an operator creates the admin with the code of the log, follows the checklist to the first sale, and the setup page is gone',
  expecting('404 GET /setup'),
  async ({ browser }) => {
    test.setTimeout(240_000);
    const there = await startSecondInstallation();
    try {
      const open = async (theme: 'light' | 'dark', size = {}): Promise<Page> => {
        const page = await (await browser.newContext({ baseURL: there.origin, ...size })).newPage();
        await chooseTheme(page, theme);
        return page;
      };
      const [desk, phone] = [await open('light'), await open('dark', phoneSize)];
      const code = /#(\S+) /.exec((await there.run(describeSetup)) ?? '')?.[1] ?? '';

      for (const path of ['/', '/register', '/dashboard']) {
        await phone.goto(path);
        await expect(phone).toHaveURL(/\/setup$/);
      }
      await button(phone, 'Create account').click();
      await expect(phone.getByText('Enter the setup code.')).toBeVisible();
      await expectNoViolation(phone);

      // The link of the log: opening it and "Create account" are the two clicks.
      await desk.goto(`/setup#${code}`);
      await expect(desk.getByLabel('Setup code')).toHaveValue(code);
      await desk.getByLabel('Your name').fill('Olga Operator');
      await desk.getByLabel('Email').fill('olga@example.com');
      await desk.getByLabel(/^Password/).fill('a new and long password');
      await expectNoViolation(desk);
      await button(desk, 'Create account').click();
      await desk.waitForURL('**/dashboard');
      await expect(desk.getByRole('heading', { name: 'Welcome, Olga Operator' })).toBeVisible();
      const gone = await phone.goto('/setup');
      expect(gone?.status()).toBe(404);

      const checklist = (page: Page) => page.getByRole('region', { name: 'Set up your marketplace' });
      const step = (page: Page, title: string) => checklist(page).getByRole('listitem').filter({ hasText: title });
      await expect(step(desk, 'Send emails')).toContainText('(open)');
      await expect(desk.getByText('No tasks yet')).toBeVisible();
      await expect(desk.getByText('All caught up')).toHaveCount(0);
      await expectNoViolation(desk);
      await button(step(desk, 'Send emails'), 'Send me a test email').click();
      await expect(step(desk, 'Send emails')).toContainText('(done)');

      await step(desk, 'Accept payments').getByRole('link').click();
      await desk.getByLabel('Publishable key').fill('pk_test_1');
      await desk.getByLabel('Secret key', { exact: true }).fill('sk_test_first');
      await desk.getByLabel('Webhook secret').fill('whsec_1');
      await desk.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(desk.getByText('Not checked', { exact: true })).toBeVisible();
      await desk.getByRole('switch', { name: 'Daily rates of the European Central Bank' }).click();
      await expect(desk.getByText(/^ECB, \d{4}-\d\d-\d\d/).first()).toBeVisible();

      // The rest on the phone.
      await phone.context().addCookies(await desk.context().cookies());
      await phone.goto('/dashboard');
      await expect(step(phone, 'Keep exchange rates current')).toContainText('(done)');
      await button(step(phone, 'Accept payments'), 'Test connection to Stripe').click();
      await expect(step(phone, 'Accept payments')).toContainText('(done)');
      await expectNoViolation(phone);
      await step(phone, 'Approve the first sites').getByRole('link').click();
      await phone.getByRole('link', { name: 'Add site' }).first().click();
      const editor = phone.getByRole('dialog');
      await editor.getByLabel(/^Name/).fill('Garden News');
      await editor.getByLabel(/^URL/).fill('https://garden.example');
      await editor.getByLabel(/^Status/).selectOption('Approved');
      await editor.getByLabel(/^Public price/).fill('40');
      await editor.getByRole('button', { name: 'Add site' }).click();
      await expect(editor).toBeHidden();
      await phone.goto('/dashboard');
      await expect(step(phone, 'Approve the first sites')).toContainText('(done)');

      const buyer = await open('light', phoneSize);
      const { email } = await there.run(async () => {
        const account = await makeAccount();
        await makeProject(account);
        return account;
      });
      await signInAs(buyer, 'user', email, '/user/wallet');
      await buyer.getByRole('button', { name: 'Add Funds' }).first().click();
      const funds = buyer.getByRole('dialog');
      await funds.getByRole('button', { name: '+50' }).click();
      await funds.getByRole('button', { name: 'Add Funds' }).click();
      await buyer.getByRole('button', { name: 'Pay $50.00' }).click();
      await buyer.waitForURL('**/user/wallet');
      await expect(buyer.getByText('Transactions: 1')).toBeVisible();
      await buyer.goto('/user/marketplace');
      await buyer.getByRole('checkbox', { name: 'Select Garden News' }).check();
      await (await openCart(buyer)).getByRole('button', { name: payButton }).click();
      await expect(buyer.getByText('Added to orders successfully.')).toBeVisible();
    } finally {
      await leaveInstallation(browser, there);
    }
  },
);
