import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { makeAccount } from '@/tests/factories/make-account';
import { bankAccount, makePayout } from '@/tests/factories/make-payout';
import { makeStaff } from '@/tests/factories/make-staff';
import { expectNoViolation } from './expect-no-violation';
import { choose as choosePending, entry } from './find';
import { signIn, signInAs } from './sign-in';
import { test } from './watched-test';

const path = '/dashboard/features/payouts';

const openPayoutsOf = (page: Page, email: string) => page.goto(`${path}?q=${encodeURIComponent(email)}`);
const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

async function choose(page: Page, email: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for the payout to ${email}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('staff approve selected payouts, export them as a bank file and read the statement back', async ({ page }) => {
  const value = { payer: bankAccount };
  await db()
    .insert(settings)
    .values({ key: 'payout-rules', value })
    .onConflictDoUpdate({ target: settings.key, set: { value, version: 1 } });
  const { payout, seller } = await makePayout('requested');
  await signIn(page, 'admin', (await makeStaff('ManagePayouts')).email);
  await openPayoutsOf(page, seller.email);
  const row = rowOf(page, seller.email);
  await expect(row).toContainText('First payout');
  await row.getByRole('checkbox').check();
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection).toContainText('1 payout selected');
  await expectNoViolation(page);
  await selection.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('1 payout approved.')).toBeVisible();
  await expect(row).toContainText('Approved');

  await row.getByRole('checkbox').check();
  await selection.getByRole('button', { name: 'Export CSV' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('alertdialog').getByRole('button', { name: 'Export' }).click(),
  ]);
  const content = await readFile(await file.path(), 'utf8');
  expect(content).toContain(payout.id);
  expect(content).toContain(bankAccount.iban);
  await expect(row).toContainText('Sent');

  await page.getByRole('link', { name: 'Batches' }).click();
  await expect(page.getByRole('table', { name: 'Batches of payouts' })).toContainText('Bank file (CSV)');
  await expectNoViolation(page);
  await page.getByRole('button', { name: 'Upload statement' }).click();
  const statement = `end_to_end_id,amount,currency,date,status\n${payout.id},100.00,USD,2026-11-20,executed\n${payout.id},1.00,USD,2026-11-20,executed`;
  await page
    .getByLabel('Bank statement', { exact: true })
    .setInputFiles({ name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(statement) });
  await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 payout marked as paid');
  await expect(page.getByRole('list', { name: 'Rows that were not applied' })).toContainText('the payout is $100.00');
  await expectNoViolation(page);
});

test('staff pay by hand, request a return, and see two persons at it and at a large payout @full', async ({
  page,
  browser,
}) => {
  const [small, large] = [await makePayout('approved'), await makePayout('requested', { amountCents: 200_000 })];
  await signIn(page, 'admin', (await makeStaff('ManagePayouts')).email);
  await openPayoutsOf(page, small.seller.email);
  const row = rowOf(page, small.seller.email);
  const dialog = page.getByRole('dialog');
  await choose(page, small.seller.email, 'View payout method');
  await expect(dialog).toContainText(bankAccount.iban);
  await expect(dialog).toContainText('10115 Berlin');
  await expectNoViolation(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await choose(page, small.seller.email, 'Mark as paid');
  await dialog.getByLabel('Reference').fill('TRX 77');
  await expectNoViolation(page);
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(row).toContainText('TRX 77');
  await choose(page, small.seller.email, 'Request return');
  await dialog.getByLabel('Reason').fill('The account is closed');
  await expectNoViolation(page);
  await dialog.getByRole('button', { name: 'Request return' }).click();
  await expect(row).toContainText('Return waits for a second person');
  const second = await (await browser.newContext()).newPage();
  await signInAs(second, 'admin', (await makeStaff('ManagePayouts')).email, '/dashboard/features/approvals');
  await choosePending(entry(second, small.seller.email).getByRole('button', { name: /^Actions/ }), 'Approve');
  await second.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  await expect(second.getByText('Change approved.')).toBeVisible();
  await page.reload();
  await expect(row).toContainText('Returned');
  await expect(row).toContainText('The account is closed');

  await openPayoutsOf(page, large.seller.email);
  await choose(page, large.seller.email, 'Approve');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve $2,000.00' }).click();
  await expect(page.getByText('The amount needs the approval of a second person.')).toBeVisible();
  await expect(rowOf(page, large.seller.email)).toContainText('needs a second person');
});

test('the rules of payouts are saved, with the account that pays', async ({ page }) => {
  await db().delete(settings).where(eq(settings.key, 'payout-rules'));
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, '/dashboard/features/payout-rules');
  // Below the earnings of first-payout.spec.ts, which can run at the same time.
  await page.getByLabel('Minimum').fill('60');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expect(page.getByText('Saved').first()).toBeVisible();
  await expect(page.getByLabel('Minimum')).toHaveValue('60.00');
  await page.getByRole('button', { name: 'Enter account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('IBAN').fill(bankAccount.iban);
  await dialog.getByLabel('Account holder').fill('LinkMarket Ltd');
  await dialog.getByLabel('Street and number').fill('1 Market Street');
  await dialog.getByLabel('Town').fill('Dublin');
  await dialog.getByLabel('Country').selectOption({ label: 'Ireland' });
  await expectNoViolation(page);
  await dialog.getByRole('button', { name: 'Save account' }).click();
  await expect(page.getByRole('region', { name: 'Your bank account' })).toContainText('LinkMarket Ltd');
});

test('staff send a payout with PayPal and see that it was paid @full', async ({ page }) => {
  const { seller } = await makePayout('approved', { kind: 'paypal' });
  await signIn(page, 'admin', (await makeStaff('ManagePayouts')).email);
  await openPayoutsOf(page, seller.email);
  const row = rowOf(page, seller.email);
  await row.getByRole('checkbox').check();
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection.getByRole('button', { name: 'Export CSV' })).toHaveCount(0);
  await selection.getByRole('button', { name: 'Send with PayPal' }).click();
  await expectNoViolation(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('1 payout sent.')).toBeVisible();
  await expect(row).toContainText('Sent');
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('Paid', { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Batches' }).click();
  await expect(page.getByRole('table', { name: 'Batches of payouts' })).toContainText('1 paid');
  await expectNoViolation(page);
});
