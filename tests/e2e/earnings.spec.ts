import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { extractText, getDocumentProxy } from 'unpdf';
import { db } from '@/db/client';
import { sellerBillingProfiles } from '@/db/schema/seller-statements';
import { issueSellerStatements } from '@/lib/earnings/self-billing/issue';
import { endWatch } from '@/lib/links/watches';
import { makeAccount } from '@/tests/factories/make-account';
import { makePlacement } from '@/tests/factories/make-placement';
import { postPayout } from '@/tests/factories/post-payout';
import { expectNoViolation } from './expect-no-violation';
import { button, link } from './find';
import { signInAs } from './sign-in';
import { test } from './watched-test';

async function textOf(path: string): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(await readFile(path)));
  return (await extractText(document, { mergePages: true })).text.replace(/\s+/g, ' ');
}

test('a seller follows the money, downloads a statement and agrees to self-billing', async ({ page }) => {
  const seller = await makeAccount({ role: 'Seller', name: 'Ελένη Їжак' });
  await makePlacement('offered', { seller, sellerCents: 700 });
  const approved = await makePlacement('approved', { seller, sellerCents: 10_000 });
  await postPayout(seller.userId, 'requested', { amountCents: 1_500 });
  await signInAs(page, 'seller', seller.email, '/seller/earnings');

  for (const amount of ['$7.00', '$60.00', '$25.00', 'and $15.00 on its way'])
    await expect(page.getByRole('main').getByText(amount).filter({ visible: true }).first()).toBeVisible();
  await expect(
    page
      .getByText(/^Answer by/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await expect(
    page
      .getByText(/more with each day that the check finds the link/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('img', { name: /Earned and paid out by month/ })).toBeVisible();
  await expectNoViolation(page);
  await page.locator('summary', { hasText: 'Show as a table' }).press('Enter');
  await page
    .getByRole('table', { name: 'Earnings by month' })
    .getByRole('link')
    .filter({ visible: true })
    .first()
    .press('Enter');

  await expect(page.getByText('Closing balance')).toBeVisible();
  await expect(page.getByText('Payout requested').filter({ visible: true }).first()).toBeVisible();
  await expectNoViolation(page);
  const download = page.waitForEvent('download');
  await link(page, 'Export PDF').click();
  const text = await textOf(await (await download).path());
  for (const part of ['Ελένη Їжак', '−$15.00', '$25.00']) expect(text).toContain(part);
  await page.getByLabel('Balance').selectOption({ label: 'Not payable yet' });
  await expect(page.getByText('Became payable').filter({ visible: true }).first()).toBeVisible();

  await page.getByRole('navigation', { name: 'Earnings' }).getByRole('link', { name: 'Self-billing' }).click();
  await page.getByLabel('Legal name').fill('Ελένη Їжак');
  await page.getByLabel('Address').fill('1 Main Street');
  await page.getByLabel('Country').selectOption({ label: 'Greece' });
  await button(page, 'Agree').click();
  await expect(page.getByText('Agree to self-billing to continue.')).toBeVisible();
  await page.getByRole('checkbox').check();
  await button(page, 'Agree').click();
  await expect(page.getByText(/You agreed on/)).toBeVisible();
  await expectNoViolation(page);
  await expect
    .poll(() => db().select().from(sellerBillingProfiles).where(eq(sellerBillingProfiles.sellerId, seller.userId)))
    .toHaveLength(1);

  // The month is not over: a later check of the link would make more payable than its statement contains.
  await endWatch(db(), approved.id, 'stopped');
  const now = new Date();
  await issueSellerStatements(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2)));
  await page.reload();
  const bill = page.waitForEvent('download');
  await page
    .getByRole('link', { name: /^Download SB-/ })
    .first()
    .click();
  expect(await textOf(await (await bill).path())).toContain('$40.00');
});
