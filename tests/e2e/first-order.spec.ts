import { expect } from '@playwright/test';
import { newId } from '@/lib/ids';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { linkIn, newestMailTo } from '@/tests/setup/mailbox';
import { countClicks } from './count-clicks';
import { button, expectSeen } from './find';
import { password } from './journeys/story';
import { payButton } from './pay-button';
import { signInByForm } from './sign-in';
import { test } from './watched-test';

test('a new buyer registers, sees the first page after four clicks, and orders the first link @both-full', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const word = `f${newId().slice(-10)}`;
  const email = `${word}@example.com`;
  await makeSite((await makeUser('Seller')).userId, 4_000, { name: word });

  await test.step('four clicks lead from the sign-in page to the dashboard', async () => {
    const clicks = await countClicks(page);
    await page.goto('/user/login');
    await page.getByText('Create account').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nora New');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel(/^Password/).fill(password);
    await dialog.getByLabel('I agree to the terms').check();
    await button(dialog, 'Create account').click();
    await page.goto(linkIn(await newestMailTo(email)).href);
    await button(page, 'Verify email').click();
    await page.waitForURL(({ pathname }) => pathname === '/user' || pathname === '/user/login');
    expect(clicks()).toBeLessThanOrEqual(4);
    if (new URL(page.url()).pathname !== '/user') await signInByForm(page, 'user', email, password);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Nora New');
  });

  const steps = page.getByRole('region', { name: 'First steps' });
  await test.step('the first steps lead to a project and to money', async () => {
    await steps.getByRole('link', { name: 'Create a project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create New Project' });
    await dialog.getByLabel('Domain').fill('tools.example.com');
    await dialog.getByLabel('Target URL').fill('https://tools.example.com/spades');
    await dialog.getByLabel('Description').fill('Garden tools');
    await dialog.getByLabel('Custom niche').fill('Gardening');
    await dialog.getByLabel('Post type').selectOption('Guest posts');
    await dialog.getByLabel('Country').selectOption('Norway');
    await dialog.getByLabel('Keywords').fill('spade, rake');
    await button(dialog, 'Create project').click();
    await expect(dialog).toBeHidden();
    await page.goto('/user');
    await steps.getByRole('link', { name: 'Add funds' }).click();
    await page.getByRole('button', { name: 'Add Funds' }).first().click();
    const funds = page.getByRole('dialog', { name: 'Add Funds' });
    await funds.getByRole('button', { name: '+50' }).click();
    await button(funds, 'Add Funds').click();
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    await page.waitForURL((url) => url.pathname === '/user/wallet' && url.search === '');
  });

  await test.step('a site is ordered from its drawer, knowing that its links are NoFollow', async () => {
    const nofollow = `${word} nofollow`;
    await makeSite((await makeUser('Seller')).userId, 3_000, { name: nofollow, followType: 'NoFollow' });
    await page.goto(`/user/marketplace?q=${word}`);
    const openOrder = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click();
      const drawer = page.getByRole('dialog', { name });
      await drawer.getByRole('link', { name: /^Order ·/ }).click();
      await page.waitForURL('**/user/cart?site=*');
      await page.getByLabel('Link attribute').selectOption('dofollow');
    };
    const warning = page.getByText(/publishes NoFollow links only/);
    await openOrder(nofollow);
    await expect(warning).toBeVisible();
    await button(page, 'Cancel').click();
    await page.goto(`/user/marketplace?q=${word}`);
    await openOrder(word);
    await expect(warning).toHaveCount(0);
    await page.getByRole('button', { name: payButton }).click();
    await expectSeen(page, 'Added to orders successfully.');
    await page.getByRole('link', { name: 'View orders' }).click();
    await expectSeen(page, 'Pending');
    await expect(page.getByRole('link', { name: /^Wallet balance \$10\.00/ })).toBeVisible();
  });
});
