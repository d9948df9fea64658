import { expect } from '@playwright/test';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { startSecondInstallation } from '@/tests/setup/second-installation';
import { chooseTheme } from './choose-theme';
import { expectNoViolation } from './expect-no-violation';
import { actionsOf, choose, entry } from './find';
import { leaveInstallation } from './leave-installation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test('Recalculate confirms a correct balance, and repairs a damaged one @both @full', async ({ browser, isMobile }) => {
  test.setTimeout(240_000);
  // Separate books, because other tests prove theirs concurrently.
  const there = await startSecondInstallation();
  try {
    const buyer = await there.run(() => makeAccount({ name: 'Ann Buyer' }));
    const admin = await there.run(() => makeAccount({ role: 'Admin' }));
    await there.run(() => fundWallet(buyer.userId, 5_000));
    const page = await (await browser.newContext({ baseURL: there.origin })).newPage();
    await chooseTheme(page, isMobile ? 'dark' : 'light');
    await signInAs(page, 'admin', admin.email, '/dashboard/features/wallet-manager');
    const wallet = entry(page, buyer.email);
    const recalculate = () => choose(actionsOf(wallet, 'Ann Buyer'), 'Recalculate balance');
    await recalculate();
    await expect(page.getByText('The balance of Ann Buyer is correct: $50.00.')).toBeVisible();
    await expectNoViolation(page);

    await there.asOwner(
      (sql) => sql`update ledger.accounts set balance_cents = balance_cents + 300 where owner = ${buyer.userId}`,
    );
    await page.reload();
    await expect(wallet).toContainText('$53.00');
    await recalculate();
    await expect(page.getByText(/^The stored balance of Ann Buyer was \$53\.00\. It’s now \$50\.00/)).toBeVisible();
    await expect(wallet).toContainText('$50.00');
    await expectNoViolation(page);
    const broken = (await there.run(verifyBooks)).checks.filter((check) => check.broken > 0);
    expect(broken).toEqual([]);
  } finally {
    await leaveInstallation(browser, there);
  }
});
