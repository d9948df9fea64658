import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { verifyBooks } from '@/lib/wallet/verify-books';
import { makeAccount } from '../factories/make-account';
import { linkIn, newestMailTo } from '../setup/mailbox';
import { signInAs } from './sign-in';
import { test } from './watched-test';

const password = 'a new and long password';
const file = (name: string, text: string, mimeType = 'text/plain') => ({ name, mimeType, buffer: Buffer.from(text) });
/** A record of a list: its row, or its card on a phone. */
const entry = (page: Page, text: string | RegExp): Locator =>
  page
    .getByRole('row')
    .or(page.getByRole('main').getByRole('listitem'))
    .filter({ hasText: text, visible: true })
    .first();
const seen = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true }).filter({ visible: true }).first();
const link = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('link', { name, exact: true }).filter({ visible: true }).first();

/** Each person's browser remembers them alone. */
async function openBrowser(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** Creates an account at a portal's door and opens the link of its mail. */
async function register(page: Page, portal: 'user' | 'seller', name: string, email: string) {
  await page.goto(`/${portal}/login`);
  await page.getByText('Create account').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel(/^Password/).fill(password);
  await dialog.getByLabel('I agree to the terms').check();
  await button(dialog, 'Create account').click();
  await expect(dialog.getByText(/^Account created!/)).toBeVisible();
  await page.goto(linkIn(await newestMailTo(email)).href);
  await page.waitForURL('**/user/login?next=*');
}

/** Adds funds by a method and pays on the provider's page; on the way back the wallet holds `balance`. */
async function addFunds(page: Page, method: 'stripe' | 'paypal' | 'wechat', balance: string) {
  await page.goto('/user/wallet');
  await button(page, 'Add Funds').click();
  const dialog = page.getByRole('dialog');
  await button(dialog, '+100').click();
  await dialog.getByLabel('Payment method').selectOption(method);
  await button(dialog, 'Add Funds').click();
  if (method === 'wechat') {
    await page.waitForURL('**/user/wallet/wechat/*');
    const phone = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open on the sandbox’s phone' }).click();
    await (await phone).getByRole('button', { name: /^Pay ¥/ }).click();
  } else {
    await page.getByRole('button', { name: /^Pay .*\d/ }).click();
  }
  await page.waitForURL((url) => url.pathname === '/user/wallet' && url.search === '');
  await expect(page.getByLabel('Balance', { exact: true })).toContainText(balance);
}

test('a seller, a buyer and an admin: from their first visit to the delivery and the audit log', async ({
  page,
  browser,
}) => {
  test.setTimeout(400_000);
  const mark = newId().toLowerCase();
  const [sellerEmail, buyerEmail] = [`seller-${mark}@example.com`, `buyer-${mark}@example.com`];
  const admin = page;
  const [seller, buyer] = [await openBrowser(browser), await openBrowser(browser)];
  const site = `Garden ${mark}`;

  await test.step('the seller registers, lists a site and imports two more', async () => {
    await register(seller, 'seller', 'Sela Seller', sellerEmail);
    await signInAs(seller, 'seller', sellerEmail, password);
    await seller.goto('/seller/my-sites');
    await button(seller, 'Add site').click();
    const add = seller.getByRole('dialog');
    await add.getByLabel('Name').fill(site);
    await add.getByLabel('URL').fill(`https://garden-${mark}.example`);
    await add.getByLabel('Country').fill('Norway');
    await add.getByLabel('Niche').selectOption({ index: 1 });
    await add.getByLabel('Your price').fill('40');
    await add.getByLabel('Turnaround').fill('5');
    await button(add, 'Add site').click();
    await expect(add).toBeHidden();
    await button(seller, 'Upload CSV').click();
    const upload = seller.getByRole('dialog', { name: 'Upload CSV' });
    const rows = `URL,Name,DR,Price\none-${mark}.example,One ${mark},41,12\ntwo-${mark}.example,Two ${mark},12,35\n`;
    await upload.getByLabel('CSV file').setInputFiles(file('sites.csv', rows, 'text/csv'));
    await button(upload, 'Import 2 sites').click();
    await expect(upload.getByText('Inserted: 2')).toBeVisible();
    await button(upload, 'OK').click();
    await expect(entry(seller, `Two ${mark}`)).toContainText('Pending');
  });

  await test.step('the admin finds the three, prices them and approves two', async () => {
    await signInAs(admin, 'admin', (await makeAccount({ role: 'Admin', name: 'Root Admin' })).email);
    await admin.goto(`/dashboard/features/guest-posts?q=${mark}`);
    const bar = admin.getByRole('region', { name: 'Selection' });
    const tick = (name: string) =>
      admin
        .getByRole('checkbox', { name: `Select ${name}` })
        .filter({ visible: true })
        .check();
    for (const name of [site, `One ${mark}`, `Two ${mark}`]) await tick(name);
    await button(bar, 'Set price').click();
    const margin = admin.getByRole('dialog');
    await margin.getByLabel('Margin').fill('25');
    await button(margin, 'Set price').click();
    await expect(entry(admin, site)).toContainText('$50.00');
    for (const name of [site, `One ${mark}`]) await tick(name);
    await button(bar, 'Approve').click();
    await button(admin.getByRole('alertdialog'), 'Approve').click();
    await expect(entry(admin, site)).toContainText('Approved');
    await tick(`Two ${mark}`);
    await button(bar, 'Reject').click();
    await button(admin.getByRole('alertdialog'), 'Reject').click();
    await expect(entry(admin, `Two ${mark}`)).toContainText('Rejected');
  });

  await test.step('the seller’s bell tells it; one site is edited, another withdrawn', async () => {
    await seller.goto('/seller');
    await seller.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click();
    await seen(seller, /were approved/);
    await seen(seller, /was rejected/);
    await seller.goto('/seller/my-sites');
    await link(seller, `Edit Two ${mark}`).click();
    const edit = seller.getByRole('dialog');
    await edit.getByLabel('Your price').fill('30');
    await button(edit, 'Save changes').click();
    await expect(edit).toBeHidden();
    await expect(entry(seller, `Two ${mark}`)).toContainText('Pending');
    await link(seller, `Edit Two ${mark}`).click();
    await button(edit, 'Withdraw').click();
    await button(seller.getByRole('alertdialog'), 'Withdraw site').click();
    await expect(link(seller, `Edit Two ${mark}`)).toHaveCount(0);
    await seller.getByRole('button', { name: 'Support' }).click();
    await seen(seller, 'How long is a site Pending?');
  });

  await test.step('the buyer registers, makes a project and pays in by each provider', async () => {
    await register(buyer, 'user', 'Bo Buyer', buyerEmail);
    await signInAs(buyer, 'user', buyerEmail, password);
    await buyer.getByRole('region', { name: 'First steps' }).getByRole('link', { name: 'Create a project' }).click();
    const dialog = buyer.getByRole('dialog');
    await dialog.getByLabel('Domain').fill('tools.example.com');
    await dialog.getByLabel('Target URL').fill('https://tools.example.com/spades');
    await dialog.getByLabel('Description').fill('Garden tools for small gardens');
    await dialog.getByLabel('Custom niche').fill('Gardening');
    await dialog.getByLabel('Post type').selectOption('Guest posts');
    await dialog.getByLabel('Country').fill('Norway');
    await dialog.getByLabel('Keywords').fill('spade, rake, hoe');
    await button(dialog, 'Create project').click();
    await expect(dialog).toBeHidden();
    await addFunds(buyer, 'stripe', '$100.00');
    await addFunds(buyer, 'paypal', '$200.00');
    await addFunds(buyer, 'wechat', '$300.00');
    await expect(buyer.getByText('Transactions: 3')).toBeVisible();
  });

  await test.step('a site is found by a filter, kept as a favourite and ordered', async () => {
    await buyer.goto(`/user/marketplace?q=${mark}&country=Norway`);
    await expect(buyer.getByText(`One ${mark}`)).toHaveCount(0);
    const star = buyer.getByRole('button', { name: `Favourite ${site}` });
    await star.click();
    await expect(star).toHaveAttribute('aria-pressed', 'true');
    await buyer.getByRole('link', { name: /^Favourites/ }).click();
    await buyer.getByLabel(`Select ${site}`).check();
    const bar = buyer.getByRole('region', { name: 'Selection' });
    await expect(bar).toContainText('$50.00');
    await button(bar, 'Add to orders').click();
    const dialog = buyer.getByRole('dialog', { name: 'Add to orders' });
    await dialog.getByLabel('Project').selectOption({ label: 'tools.example.com' });
    await button(dialog, 'Add to orders').click();
    await expect(buyer.getByText('Added to orders successfully.')).toBeVisible();
  });

  await test.step('the admin delivers file and link', async () => {
    await admin.goto(`/dashboard/features/orders?q=${buyerEmail}`);
    await admin
      .getByRole('link', { name: /^View \/ Edit order #/ })
      .filter({ visible: true })
      .click();
    const dialog = admin.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles(file('Article.txt', 'The delivered article.'));
    await button(dialog, 'Upload content').click();
    await expect(admin.getByText('Content uploaded.')).toBeVisible();
    await dialog.getByLabel('Live link').fill('news.example.com/spades');
    await button(dialog, 'Save changes').click();
    await expect(dialog.getByLabel('Live link')).toHaveValue('https://news.example.com/spades');
  });

  await test.step('the audit log has it, and the books are sound', async () => {
    await admin.goto(`/dashboard/features/audit-logs?q=${encodeURIComponent(buyerEmail)}`);
    await expect(admin.getByRole('main')).toContainText('Order #');
    const report = await verifyBooks();
    expect(report.checks.filter((check) => check.broken > 0)).toEqual([]);
  });
});
