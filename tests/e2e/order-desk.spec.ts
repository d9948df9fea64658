import { readFile } from 'node:fs/promises';
import { type Browser, expect, type Page } from '@playwright/test';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { spendMoney } from '@/tests/factories/spend-money';
import { openClient } from '@/tests/setup/http-client';
import { mailsTo, newestMailTo } from '@/tests/setup/mailbox';
import { expectNoViolation } from './expect-no-violation';
import { signIn, signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const path = '/dashboard/features/orders';
const dialogOf = (page: Page, id: number) => page.getByRole('dialog').filter({ hasText: `Order #${id}` });

async function browseAs(browser: Browser, portal: 'user' | 'admin', email: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, portal, email);
  return page;
}

async function buyerWithOrder() {
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 10_000);
  return { buyer, id: await spendMoney(buyer, 4_000) };
}

test(
  'a stale edit of an order shows both changes and loses nothing @full',
  expecting('409 PATCH /api/admin/orders/*', '409 DELETE /api/admin/orders/*'),
  async ({ browser }) => {
    test.setTimeout(240_000);
    const { id } = await buyerWithOrder();
    const ann = await browseAs(browser, 'admin', (await makeAccount({ role: 'Admin' })).email);
    const ben = await browseAs(browser, 'admin', (await makeAccount({ role: 'Admin' })).email);
    for (const page of [ann, ben]) await page.goto(`${path}?order=${id}`);
    await dialogOf(ann, id).getByLabel('Status').selectOption('Processing');
    await dialogOf(ben, id).getByLabel('Comments to the buyer').fill('Placed on Monday.');
    await dialogOf(ben, id).getByLabel('Live link').fill('news.example.com/ben');
    await dialogOf(ann, id).getByLabel('Live link').fill('news.example.com/ann');
    await dialogOf(ann, id).getByRole('button', { name: 'Save changes' }).click();
    await expect(ann.getByText('Changes saved and visible to the user.')).toBeVisible();

    await dialogOf(ben, id).getByRole('button', { name: 'Save changes' }).click();
    const notice = dialogOf(ben, id).getByRole('alert').or(dialogOf(ben, id).getByRole('status'));
    const conflictNotice = notice.filter({
      hasText: `Order #${id} was changed by another user while you were editing.`,
    });
    await expect(conflictNotice).toContainText('Now: https://news.example.com/ann');
    await expect(conflictNotice).toContainText('Yours: news.example.com/ben');
    await expect(dialogOf(ben, id).getByLabel('Comments to the buyer')).toHaveValue('Placed on Monday.');
    await expect(dialogOf(ben, id).getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await expectNoViolation(ben);
    expect(await getAdminOrder(id)).toMatchObject({ linkUrl: 'https://news.example.com/ann', adminComments: '' });
    await dialogOf(ben, id).getByRole('button', { name: 'Delete' }).click();
    const confirmation = ben.getByRole('alertdialog', { name: `Delete order #${id}? This cannot be undone.` });
    await confirmation.getByRole('button', { name: 'Delete order' }).click();
    await expect(
      confirmation.getByText('was changed by another user in the meantime. Nothing was saved.'),
    ).toBeVisible();
    await confirmation.getByRole('button', { name: 'Cancel' }).click();

    await conflictNotice.getByRole('button', { name: 'Keep mine' }).click();
    await dialogOf(ben, id).getByRole('button', { name: 'Save changes' }).click();
    await expect(ben.getByText('Changes saved and visible to the user.')).toBeVisible();
    // A new link without a status change makes the order Live, whichever admin set the status.
    expect(await getAdminOrder(id)).toMatchObject({
      status: 'Live',
      linkUrl: 'https://news.example.com/ben',
      adminComments: 'Placed on Monday.',
    });
  },
);

const oddNames = [
  ['Ünï 字 🌱 “quoted”.txt', 'Ünï 字 🌱 “quoted”.txt'],
  ['عقد مقال.txt', 'عقد مقال.txt'],
  ['turned\u202Etxt.exe.txt', 'turnedtxt.exe.txt'],
  ['..secret..txt', 'secret..txt'],
  ['100% = "a";b\'c.txt', null],
  [`${'long '.repeat(60)}.txt`, null],
] as const;

test('content with unusual names is delivered, replaced, mailed and downloaded @full', async ({ browser }) => {
  test.setTimeout(240_000);
  const { buyer: account, id } = await buyerWithOrder();
  const admin = await browseAs(browser, 'admin', (await makeAccount({ role: 'Admin' })).email);
  const buyer = await browseAs(browser, 'user', account.email);
  await admin.goto(`${path}?order=${id}`);
  const dialog = dialogOf(admin, id);
  const earlier = (await mailsTo(account.email)).length;
  for (const [index, [name, expected]] of oddNames.entries()) {
    const words = `Article ${index}`;
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from(words) };
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('button', { name: index === 0 ? 'Upload content' : 'Replace content' }).click();
    await expect(admin.getByText('Content uploaded.').first()).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Replace content' })).toBeHidden();
    const [inList] = await Promise.all([
      admin.waitForEvent('download'),
      dialog.getByRole('link', { name: /^Download/ }).click(),
    ]);
    expect(await readFile(await inList.path(), 'utf8')).toBe(words);
    if (expected) expect(inList.suggestedFilename()).toBe(expected);
    expect(inList.suggestedFilename()).toMatch(/\.txt$/);
    expect(inList.suggestedFilename().length).toBeLessThanOrEqual(125);
  }
  await buyer.goto(`/user/orders?order=${id}`);
  const [download] = await Promise.all([
    buyer.waitForEvent('download'),
    buyer
      .getByRole('dialog')
      .getByRole('link', { name: /^Download/ })
      .click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toBe(`Article ${oddNames.length - 1}`);
  // The replacements of the hour after the first mail come together at its end.
  const mail = await newestMailTo(account.email, earlier + 1);
  expect(mail.subject).toBe(`The content of order #${id} is ready`);
  expect(mail.text).toContain(`/user/orders?order=${id}`);
});

test('a selected file is saved with the changes, and a file that is left shows a warning', async ({ page }) => {
  const { id } = await buyerWithOrder();
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, `${path}?order=${id}`);
  const dialog = dialogOf(page, id);
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Article') });
  await dialog.getByRole('button', { name: 'Close' }).click();
  const confirmation = page.getByRole('alertdialog', { name: `Leave order #${id} without its file?` });
  await confirmation.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByLabel('Comments to the buyer').fill('Here it is.');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Content uploaded.')).toBeVisible();
  await expect(page.getByText('Changes saved and visible to the user.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: /^Download/ })).toBeVisible();
  expect(await getAdminOrder(id)).toMatchObject({ adminComments: 'Here it is.', contentFileName: 'a.txt' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(confirmation).toBeHidden();
});

test(
  'a file that the server refuses saves nothing, and is the only thing to correct',
  expecting('415 POST /api/admin/orders/*/content'),
  async ({ page }) => {
    const { id } = await buyerWithOrder();
    await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, `${path}?order=${id}`);
    const dialog = dialogOf(page, id);
    const exe = { name: 'a.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ\u0000\u0001') };
    await dialog.locator('input[type=file]').setInputFiles(exe);
    await dialog.getByLabel('Comments to the buyer').fill('Here it is.');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog.getByText(/Upload .*ZIP/)).toBeVisible();
    expect(await getAdminOrder(id)).toMatchObject({ adminComments: '', contentFileName: null });
    await expect(dialog.getByLabel('Comments to the buyer')).toHaveValue('Here it is.');
  },
);

test(
  'a refund with a file that the server refuses moves no money, and its question stays open',
  expecting('415 POST /api/admin/orders/*/content'),
  async ({ page }) => {
    const { id } = await buyerWithOrder();
    await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, `${path}?order=${id}`);
    const dialog = dialogOf(page, id);
    const exe = { name: 'a.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ\u0000\u0001') };
    await dialog.locator('input[type=file]').setInputFiles(exe);
    await dialog.getByLabel('Status').selectOption('Refunded');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    const refund = page.getByRole('alertdialog', { name: `Refund $40.00 for order #${id}?` });
    await refund.getByRole('button', { name: 'Refund' }).click();
    await expect(refund).toContainText('Nothing was saved, because the file was not uploaded');
    expect(await getAdminOrder(id)).toMatchObject({ status: 'Pending', contentFileName: null });
  },
);

test('a status that moves money asks first, in both directions @full', async ({ page }) => {
  const { id } = await buyerWithOrder();
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, `${path}?order=${id}`);
  const dialog = dialogOf(page, id);
  const save = dialog.getByRole('button', { name: 'Save changes' });
  await dialog.getByLabel('Status').selectOption('Refunded');
  await dialog.getByLabel('Comments to the buyer').fill('Sorry.');
  await save.click();
  const refund = page.getByRole('alertdialog', { name: `Refund $40.00 for order #${id}?` });
  await expect(refund).toContainText('Saving returns $40.00 to the buyer’s wallet.');
  await expectNoViolation(page);
  await refund.getByRole('button', { name: 'Cancel' }).click();
  expect(await getAdminOrder(id)).toMatchObject({ status: 'Pending', adminComments: '' });
  await save.click();
  await refund.getByRole('button', { name: 'Refund' }).click();
  await expect(page.getByText('Changes saved and visible to the user.').first()).toBeVisible();
  expect(await getAdminOrder(id)).toMatchObject({ status: 'Refunded', adminComments: 'Sorry.' });

  await dialog.getByLabel('Status').selectOption('Pending');
  await save.click();
  const charge = page.getByRole('alertdialog', { name: `Charge $40.00 for order #${id} again?` });
  await charge.getByRole('button', { name: 'Charge again' }).click();
  await expect(charge).toBeHidden();
  expect(await getAdminOrder(id)).toMatchObject({ status: 'Pending' });
});

test('a mail that is turned off is not sent, and is turned on again @full', async ({ browser }) => {
  test.setTimeout(240_000);
  const { buyer: account, id } = await buyerWithOrder();
  const desk = openClient();
  await desk.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  const edit = (body: unknown) => desk.request(`/api/admin/orders/${id}`, { method: 'PATCH', body });
  const page = await browseAs(browser, 'user', account.email);
  await page.goto('/user/security#mails');
  const card = page.getByRole('region', { name: 'Emails' });
  const status = card.getByRole('switch', { name: /^Order status/ });
  await expect(status).toBeChecked();
  await expect(card.getByRole('switch', { name: /^New orders/ })).toHaveCount(0);
  await status.focus();
  await page.keyboard.press('Space');
  await expect(status).not.toBeChecked();
  await expectNoViolation(page);
  await page.reload();
  await expect(status).not.toBeChecked();
  expect((await edit({ status: 'Processing' })).status).toBe(200);
  expect((await edit({ adminComments: 'Soon.' })).status).toBe(200);
  // Mails are sent in order: the later one arrived, so the other one was not sent.
  expect((await newestMailTo(account.email)).subject).toBe(`New comment on order #${id}`);
  expect(await mailsTo(account.email)).toHaveLength(1);
  await status.click();
  await expect(status).toBeChecked();
});

test('the order list is filtered and paginated; comments are sent, and failures are shown @full', async ({ page }) => {
  test.setTimeout(180_000);
  const admin = await makeAccount({ role: 'Admin' });
  const buyer = await makeAccount({ name: '=Formula()' });
  await fundWallet(buyer.userId, 100_000);
  const ids: number[] = [];
  for (let count = 0; count < 27; count++) ids.push(await spendMoney(buyer, 1_000));
  const [first = 0] = ids;
  await updateOrder(admin, first, { status: 'Rejected' });
  await signInAs(page, 'admin', admin.email, path);
  // The options load on focus; a focus before the page is interactive loads nothing.
  await expect(async () => {
    await page.getByLabel('User').blur();
    await page.getByLabel('User').focus();
    await expect(page.getByLabel('User').locator('option', { hasText: buyer.email })).toHaveCount(1, {
      timeout: 3_000,
    });
  }).toPass();
  await page.getByLabel('User').selectOption({ label: `=Formula() (${buyer.email})` });
  await expect(page.getByText('1–27 of 27')).toBeVisible();
  await page.getByLabel('Rows per page').selectOption('25');
  await expect(page.getByText('1–25 of 27')).toBeVisible();
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page.getByText('26–27 of 27')).toBeVisible();
  await page.getByRole('navigation', { name: 'Orders by status' }).getByRole('link', { name: 'Rejected' }).click();
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('User')).toHaveValue(buyer.userId);

  await page.getByRole('link', { name: `View / Edit order #${first}` }).click();
  const dialog = dialogOf(page, first);
  await page.route('**/api/admin/orders/*', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, body: '' }),
  );
  await dialog.getByLabel('Comments to the buyer').fill('Sorry.');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Failed to update order')).toBeVisible();
  await expect(page.getByText('Failed to update order')).toBeHidden({ timeout: 6_000 });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  const confirmation = page.getByRole('alertdialog', { name: `Delete order #${first}? This cannot be undone.` });
  await confirmation.getByRole('button', { name: 'Delete order' }).click();
  await expect(confirmation.getByText('Failed to delete order')).toBeVisible();
  await page.unroute('**/api/admin/orders/*');
  await confirmation.getByRole('button', { name: 'Delete order' }).click();
  await expect(page.getByText(`Order #${first} deleted.`)).toBeVisible();
  await expect(page.getByText('No matching orders')).toBeVisible();
});

test('the order list and its dialog are accessible and fit @both @full', async ({ page }) => {
  test.setTimeout(240_000);
  const admin = await makeAccount({ role: 'Admin' });
  const { id, buyer } = await makeOrder(4_000);
  const linkUrl = `https://news.example.com/${'long-'.repeat(60)}`;
  await updateOrder(admin, id, { linkUrl, adminComments: 'See the second paragraph.' });
  await signInAs(page, 'admin', admin.email, `${path}?userId=${buyer.userId}`);
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  await expectNoViolation(page);
  // Its number and date are short, and unreadable when truncated.
  const cutOff = await page
    .locator('td[data-key="id"] :is(span, time)')
    .evaluateAll((parts) =>
      parts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
    );
  expect(cutOff).toEqual([]);
  await page.getByRole('link', { name: `View / Edit order #${id}` }).click();
  await expect(dialogOf(page, id).getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expectNoViolation(page);
  await page.goto('/dashboard/security');
  await expect(page.getByRole('switch', { name: /^New orders/ })).toBeChecked();
  await expectNoViolation(page);
});

test('on a phone the user filter has its options before it is opened @phone @full', async ({ page }) => {
  // Among the first by name: the filter offers five hundred.
  const buyer = await makeAccount({ name: '!Ann' });
  await fundWallet(buyer.userId, 1_000);
  await spendMoney(buyer, 1_000);
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, path);
  await expect(page.getByLabel('User').locator('option', { hasText: buyer.email })).toHaveCount(1);
});

test('a page of a hundred orders stays small @full', async ({ page }) => {
  const admin = await makeAccount({ role: 'Admin' });
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 200_000);
  for (let count = 0; count < 100; count++) await spendMoney(buyer, 1_000);
  await signIn(page, 'admin', admin.email);
  const html = await (await page.request.get(`${path}?userId=${buyer.userId}`)).text();
  expect(html.match(/View \/ Edit order #/g)?.length).toBeGreaterThanOrEqual(100);
  expect(html.length).toBeLessThan(300_000);
});

test('the button of an order is inside the table on every screen @full', async ({ page }) => {
  const { id } = await buyerWithOrder();
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, `${path}?q=${id}`);
  const button = page.getByRole('link', { name: `View / Edit order #${id}` });
  const frame = page.getByRole('table', { name: 'Orders' }).locator('..');
  for (const width of [768, 1024, 1240, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const [inner, outer] = [await button.boundingBox(), await frame.boundingBox()];
    if (!inner || !outer) throw new Error('The table is not shown.');
    expect(inner.x + inner.width, `${width} px wide`).toBeLessThan(outer.x + outer.width);
  }
});
