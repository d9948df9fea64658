import { expect, type Page } from '@playwright/test';
import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { bookProofs } from '@/db/schema/book-proofs';
import { paymentReversals, topups } from '@/db/schema/topups';
import { newId } from '@/lib/ids';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { formatRate, getExchangeRates } from '@/lib/settings/exchange-rates';
import { makeAccount } from '@/tests/factories/make-account';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectNoViolation } from './expect-no-violation';
import { signIn, signInAs } from './sign-in';
import { startTopUp } from './start-top-up';
import { test } from './watched-test';

const gateway = process.env.TEST_GATEWAY_URL ?? '';

/** A buyer with a receivable from a refunded payment, and a pending top-up. */
async function signInWithReceivable(page: Page) {
  const buyer = await makeAccount();
  await signIn(page, 'user', buyer.email);
  await startTopUp(page, 'stripe');
  await page.waitForURL('**/c/pay/*');
  const sessionId = new URL(page.url()).pathname.split('/').pop();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$50.00');
  await spendMoney(buyer, 4_000);
  const refund = `${gateway}/controls/stripe/sessions/${sessionId}/refund`;
  expect((await fetch(refund, { method: 'POST' })).status).toBe(200);
  await expect(async () => {
    await page.goto('/user/wallet');
    await expect(page.getByText('You owe $40.00')).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

test('axe finds no violation on the wallet, the receivable and the payment code @both @full', async ({ page }) => {
  test.setTimeout(180_000);
  await signInWithReceivable(page);
  await expectNoViolation(page);

  await startTopUp(page, 'wechat');
  await page.waitForURL('**/user/wallet/wechat/*');
  await expect(page.getByText('Waiting for your payment')).toBeVisible();
  await expectNoViolation(page);

  // The pending top-up is listed; after the return, a message says that nothing was charged.
  await page.goto('/user/wallet');
  await expect(page.getByText('Pending').filter({ visible: true }).first()).toBeVisible();
  await expectNoViolation(page);
  await page.goBack();
  await page.getByRole('link', { name: 'Cancel payment' }).click();
  await expect(page.getByText(/nothing was charged/i)).toBeVisible();
  await expectNoViolation(page);
});

test("the wallet shows the specification's messages, and normalizes the amount on blur", async ({ page }) => {
  await signInAs(page, 'user', (await makeAccount()).email, '/user/wallet');
  await expect(page.getByText('No transactions yet. Add funds to see them here.')).toBeVisible();
  await expect(page.getByText('Transactions: 0')).toBeVisible();
  await expect(page.getByPlaceholder('Search transactions (id, note, method, amount)…')).toBeVisible();
  await page.getByRole('button', { name: 'Add Funds' }).first().click();
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel(/Amount/);
  const submit = dialog.getByRole('button', { name: 'Add Funds' });
  await expect(submit).toBeDisabled();
  for (const name of ['+25', '+50', '+100', '+250']) await dialog.getByRole('button', { name, exact: true }).click();
  await expect(amount).toHaveValue(/^425(\.00)?$/);
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await expect(submit).toBeDisabled();
  await amount.fill('12.345');
  await amount.blur();
  await expect(amount).toHaveValue('12.35');
  await amount.fill('0.5');
  await submit.click();
  await expect(dialog.getByText('Please enter at least $1.00')).toBeVisible();
  const method = dialog.getByLabel('Payment method');
  // Other tests give the operator bank accounts.
  const providers = method.locator('option').filter({ hasNotText: 'Bank transfer' });
  await expect(providers).toHaveText(['Stripe card/wallets', 'PayPal', 'WeChat Pay']);
  await expect(dialog.getByText('You’ll be redirected to a Stripe-hosted checkout.')).toBeVisible();
  await method.selectOption('paypal');
  await expect(dialog.getByText('You’ll be redirected to PayPal to approve the payment.')).toBeVisible();
});

test('an admin sets an exchange rate, dated now @full', async ({ page }) => {
  const admin = await makeAccount({ role: 'Admin' });
  // The current rate, because other tests depend on the prices.
  const now = (await getExchangeRates()).get('AUD') ?? 0;
  await signInAs(page, 'admin', admin.email, '/dashboard/features/payments?tab=wechat');
  const card = page.getByRole('region', { name: 'Exchange rates' });
  await card.getByRole('button', { name: 'Set rate' }).click();
  await expect(card.getByText('Choose a currency.')).toBeVisible();
  await card.getByLabel('Currency').selectOption('AUD');
  await card.getByLabel('USD per unit').pressSequentially('dear');
  await card.getByRole('button', { name: 'Set rate' }).click();
  await expect(card.getByText('“dear” is not a number: enter USD per unit in digits, e.g. 12.5.')).toBeVisible();
  await expect(card.getByLabel('Currency')).toHaveValue('AUD');
  await card.getByLabel('USD per unit').fill(formatRate(now));
  await card.getByRole('button', { name: 'Set rate' }).click();
  await expect(page.getByText('Rate set.')).toBeVisible();
  await expect(card.getByRole('listitem').filter({ hasText: `1 AUD = ${formatRate(now)} USD` })).toContainText(
    'just now',
  );
});

test('a failed proof shows a message, and the next one shows the result @full', async ({ page, browser }) => {
  // A payment, so that a provider holds money.
  const payer = await browser.newContext({ viewport: page.viewportSize() });
  const wallet = await payer.newPage();
  await signIn(wallet, 'user', (await makeAccount()).email);
  await startTopUp(wallet, 'stripe');
  await wallet.waitForURL('**/c/pay/*');
  await wallet.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(wallet.getByLabel('Balance', { exact: true })).toContainText('$50.00');
  await payer.close();

  const admin = await makeAccount({ role: 'Admin' });
  const found = await verifyBooks();
  const [first, ...rest] = found.checks;
  if (!first) throw new Error('Nothing is checked.');
  const report = {
    isSound: false,
    checks: [{ ...first, broken: 3, sample: 'wallet-of-a-buyer' }, ...rest],
    totals: [...found.totals, { kind: 'clearing', currency: 'NZD', balanceCents: -1_234, storedCents: null }],
  };
  await db()
    .insert(bookProofs)
    .values({
      ...{ id: newId(), ranBy: admin.userId, isSound: false, isWhole: true, report },
      ...{ startedAt: new Date(), mac: '' },
    });
  await signInAs(page, 'admin', admin.email, '/dashboard/features/wallet-manager?tab=books');
  await expect(page.getByRole('heading', { name: 'The books don’t balance' })).toBeVisible();
  await expect(page.getByText(`1 of ${report.checks.length} checks failed.`)).toBeVisible();
  const broken = page.getByRole('listitem').filter({ has: page.getByLabel('Failed') });
  await expect(broken).toHaveText(`${first.name}3 failed, e.g. wallet-of-a-buyer`);
  await expect(page.getByRole('region', { name: 'Books in NZD' })).toContainText('DifferenceNZ$12.34');
  await expectNoViolation(page);

  await page.getByRole('button', { name: 'Check the books' }).click();
  await expect(page.getByRole('heading', { name: 'The books balance' })).toBeVisible();
  await expect(page.getByText(`by ${admin.name}`)).toBeVisible();
  const usd = page.getByRole('region', { name: 'Books in USD' });
  for (const part of ['Money held', 'At payment providers', 'Money owed', 'In wallets', 'Difference']) {
    await expect(usd).toContainText(part);
  }
  await expect(usd).toContainText('Difference$0.00');
  await expect(page.getByLabel('Failed')).toHaveCount(0);
});

test('an admin returns the unreported money of a won dispute @both-full', async ({ page, browser }) => {
  test.setTimeout(120_000);
  const buyer = await makeAccount({ name: `Dora ${newId().slice(-6)}` });
  await signIn(page, 'user', buyer.email);
  await startTopUp(page, 'paypal');
  await page.waitForURL('**/checkoutnow?token=*');
  const order = new URL(page.url()).searchParams.get('token');
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$50.00');
  for (const action of ['dispute', 'reverse']) {
    const url = `${gateway}/controls/paypal/sessions/${order}/${action}`;
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
  }
  // As when the account may not read disputes: the outcome is known, but not the amount.
  const taken = and(eq(topups.accountId, buyer.userId), eq(paymentReversals.money, 'taken'));
  const found = async () =>
    db()
      .select({ id: paymentReversals.id })
      .from(paymentReversals)
      .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
      .where(taken);
  await expect.poll(found, { timeout: 20_000 }).toHaveLength(1);
  const [reversal] = await found();
  await db()
    .update(paymentReversals)
    .set({ outcome: 'won' })
    .where(eq(paymentReversals.id, reversal?.id ?? ''));

  const context = await browser.newContext({ viewport: page.viewportSize() });
  const desk = await context.newPage();
  await signInAs(
    desk,
    'admin',
    (await makeAccount({ role: 'Admin' })).email,
    '/dashboard/features/wallet-manager?tab=review',
  );
  await expect(desk.getByRole('heading', { name: 'Won, not yet returned' })).toBeVisible();
  await expectNoViolation(desk);
  await desk.getByRole('button', { name: `Confirm that $50.00 of ${buyer.name} was returned` }).click();
  const dialog = desk.getByRole('alertdialog');
  await expect(dialog).toContainText('PayPal');
  await expectNoViolation(desk);
  await dialog.getByRole('button', { name: 'Confirm return of $50.00' }).click();
  await expect(desk.getByText(`$50.00 returned to ${buyer.name}.`)).toBeVisible();
  await expect(desk.getByRole('button', { name: `Confirm that $50.00 of ${buyer.name} was returned` })).toHaveCount(0);
  await context.close();
  await page.goto('/user/wallet');
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('$50.00');
});
