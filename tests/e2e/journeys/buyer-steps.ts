import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '@/tests/e2e/expect-no-violation';
import { accountButton, button, checkbox, choose, entry, expectBalance, expectSeen } from '@/tests/e2e/find';
import { openCart } from '@/tests/e2e/open-cart';
import { payButton } from '@/tests/e2e/pay-button';
import { printedPage } from '@/tests/e2e/pdf-text';
import { signInByForm } from '@/tests/e2e/sign-in';
import { register } from './register';
import { password, type Story } from './story';

export async function registerAndMakeProject({ buyer, buyerEmail }: Story): Promise<void> {
  await register(buyer, 'user', 'Bo Buyer', buyerEmail);
  await expectNoViolation(buyer);
  await buyer.getByRole('region', { name: 'First steps' }).getByRole('link', { name: 'Create a project' }).click();
  const dialog = buyer.getByRole('dialog');
  await dialog.getByLabel('Domain').fill('tools.example.com');
  await dialog.getByLabel('Target URL').fill('https://tools.example.com/spades');
  await dialog.getByLabel('Description').fill('Garden tools for small gardens');
  await dialog.getByLabel('Custom niche').fill('Gardening');
  await dialog.getByLabel('Post type').selectOption('Guest posts');
  await dialog.getByLabel('Country').selectOption('Norway');
  await dialog.getByLabel('Keywords').fill('spade, rake, hoe');
  await button(dialog, 'Create project').click();
  await expect(dialog).toBeHidden();
  await expect(entry(buyer, 'tools.example.com')).toBeVisible();
}

export async function topUpWithEachProvider({ buyer }: Story): Promise<void> {
  await addFunds(buyer, 'stripe', '$100.00');
  await addFunds(buyer, 'paypal', '$200.00');
  await addFunds(buyer, 'wechat', '$300.00');
  await expect(buyer.getByText('Transactions: 3')).toBeVisible();
}

/** Adds 100 USD and pays on the provider's page; afterwards the wallet holds `balance`. */
async function addFunds(page: Page, method: 'stripe' | 'paypal' | 'wechat', balance: string): Promise<void> {
  await page.goto('/user/wallet');
  await button(page, 'Add Funds').click();
  const dialog = page.getByRole('dialog');
  await button(dialog, '+100').click();
  await dialog.getByLabel('Payment method').selectOption(method);
  await button(dialog, 'Add Funds').click();
  if (method === 'wechat') {
    await page.waitForURL('**/user/wallet/wechat/*');
    const phone = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open on the sandbox phone' }).click();
    await (await phone).getByRole('button', { name: /^Pay ¥/ }).click();
  } else {
    await page.getByRole('button', { name: /^Pay .*\d/ }).click();
  }
  await page.waitForURL((url) => url.pathname === '/user/wallet' && url.search === '');
  await expectBalance(page, balance);
}

/** One site by its country and from the favourites, the other by its name: both in one order. */
export async function orderTwoSites({ buyer, mark, garden, harbour }: Story): Promise<void> {
  await buyer.goto(`/user/marketplace?q=${mark}&country=Norway`);
  const star = button(buyer, `Favorite ${garden}`);
  await expect(star).toBeVisible();
  await expect(buyer.getByText(harbour)).toHaveCount(0);
  await star.click();
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await buyer.goto('/user/marketplace?show=favourites');
  await checkbox(buyer, `Select ${garden}`).check();
  await buyer.goto(`/user/marketplace?q=${encodeURIComponent(harbour)}`);
  await checkbox(buyer, `Select ${harbour}`).check();
  const bar = buyer.getByRole('region', { name: 'Cart' });
  await expect(bar).toContainText('2 sites');
  await expect(bar).toContainText('$65.00');
  const cart = await openCart(buyer);
  await expect(cart.getByRole('link', { name: 'Project tools.example.com' })).toBeVisible();
  await cart.getByRole('button', { name: payButton }).click();
  await expect(buyer.getByText('Added to orders successfully.')).toBeVisible();
  await buyer.goto('/user/wallet');
  await expectBalance(buyer, '$235.00');
}

export async function receiveContent({ buyer, mark }: Story): Promise<void> {
  await buyer.goto('/user/orders');
  const order = entry(buyer, `garden-${mark}`);
  await expect(order).toContainText('Completed');
  const live = order.getByRole('link', { name: /news\.example\.com/ });
  await expect(live).toHaveAttribute('href', 'https://news.example.com/spades');
  const download = buyer.waitForEvent('download');
  await order.getByRole('link', { name: /^Download the content of order #/ }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe('The delivered article.');
}

/** Each from the details of its order. */
export async function printInvoiceAndCreditNote({ buyer, mark }: Story): Promise<void> {
  await openInvoice(buyer, `garden-${mark}`);
  const sheet = buyer.getByRole('article');
  await expect(sheet).toContainText('Total, paid from the wallet$50.00');
  const invoice = await printedPage(buyer);
  expect(invoice.pages).toBe(1);
  expect(invoice.text).toContain(`Invoice ${await sheet.getAttribute('aria-label')} Paid`);
  expect(invoice.text).toContain('Total, paid from the wallet $50.00');

  await openInvoice(buyer, `harbour-${mark}`);
  const documents = buyer.getByRole('navigation', { name: 'Documents of this order' });
  await documents.getByRole('link', { name: /^CN-/ }).click();
  await expect(sheet.getByRole('heading', { name: 'Credit note' })).toBeVisible();
  await expectNoViolation(buyer);
  const creditNote = await printedPage(buyer);
  expect(creditNote.pages).toBe(1);
  expect(creditNote.text).toContain(`Credit note ${await sheet.getAttribute('aria-label')} Returned to the wallet`);
  expect(creditNote.text).toContain('Total, returned to the wallet $15.00');
}

async function openInvoice(page: Page, site: string): Promise<void> {
  await page.goto('/user/orders');
  await entry(page, site)
    .getByRole('link', { name: /^Invoice of order #/ })
    .click();
  await expect(page.getByRole('dialog', { name: /^Invoice of order/ })).toBeVisible();
}

async function openDetails(page: Page, site: string): Promise<void> {
  await page.goto('/user/orders');
  await entry(page, site)
    .getByRole('link', { name: /^Details of order #/ })
    .click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Timeline' })).toBeVisible();
}

export async function orderAgain({ buyer, mark }: Story): Promise<void> {
  await openDetails(buyer, `garden-${mark}`);
  await buyer.getByRole('dialog').getByRole('link', { name: 'Order again' }).click();
  const again = buyer.getByRole('dialog', { name: /again$/ });
  await expect(again).toContainText('Total today$50.00');
  await again.getByRole('button', { name: payButton }).click();
  await expect(buyer.getByText('Order placed.')).toBeVisible();
  await buyer.goto('/user/wallet');
  // The refund changed 235 to 250.
  await expectBalance(buyer, '$200.00');
}

export async function signOutEverywhere({ buyer, buyerEmail, openBrowser }: Story): Promise<void> {
  const elsewhere = await openBrowser();
  await signInByForm(elsewhere, 'user', buyerEmail, password);
  await buyer.goto('/user/security');
  await button(buyer, 'End all other sessions').click();
  const question = buyer.getByRole('alertdialog', { name: 'End the other session?' });
  await expect(question).toBeVisible();
  await expectNoViolation(buyer);
  await button(question, 'End all other sessions').click();
  await expect(buyer.getByText('One session ended.')).toBeVisible();
  await elsewhere.goto('/user/wallet');
  await elsewhere.waitForURL('**/user/login?next=*');
  await signInByForm(elsewhere, 'user', buyerEmail, password);

  const changed = `${password} indeed`;
  await buyer.getByLabel('Current password').fill(password);
  await buyer.getByLabel(/^New password/).fill(changed);
  await buyer.getByLabel(/^Confirm new password/).fill(changed);
  await button(buyer, 'Change password').click();
  await expectSeen(buyer, 'Password changed. Your other sessions were ended.');
  await elsewhere.goto('/user/wallet');
  await elsewhere.waitForURL('**/user/login?next=*');

  await choose(accountButton(buyer), 'Logout');
  await buyer.waitForURL((url) => url.pathname === '/user/login');
  await buyer.goto('/user/wallet');
  await buyer.waitForURL('**/user/login?next=*');
  await signInByForm(buyer, 'user', buyerEmail, changed);
}
