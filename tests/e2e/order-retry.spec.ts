import { expect } from '@playwright/test';
import { getWalletBalance } from '@/lib/ledger/balance';
import { listOrders } from '@/lib/orders/order/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { payButton } from './pay-button';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test(
  'an order whose response was lost is charged once, on plain HTTP too',
  expecting('net::ERR_CONNECTION_RESET POST /api/orders'),
  async ({ page }) => {
    const buyer = await makeAccount();
    await fundWallet(buyer.userId, 1_000_000);
    await makeProject(buyer);
    // APIs that browsers omit on plain HTTP.
    await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined }));
    await signInAs(page, 'user', buyer.email, '/user/marketplace');
    await page.getByRole('row').getByRole('checkbox').nth(1).check();
    await page.getByRole('row').getByRole('checkbox').nth(2).check();

    const keys: (string | undefined)[] = [];
    let lost = 2;
    await page.route('**/api/orders', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (lost-- <= 0) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    const open = async () => {
      await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Add to orders' }).click();
      return page.getByRole('dialog');
    };
    const dialog = await open();
    await dialog.getByRole('button', { name: payButton }).click();
    const alert = dialog.getByRole('alert');
    await expect(alert).toContainText(
      'Failed to add to orders: no response was received. The order may still have been placed',
    );
    await expect(alert.getByRole('link', { name: 'My Orders' })).toHaveAttribute('href', '/user/orders');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(alert).toContainText('no response was received');

    await page.reload();
    await (await open()).getByRole('button', { name: payButton }).click();
    await expect(page.getByText('Added to orders successfully.')).toBeVisible();
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    const { rows, total } = await listOrders(buyer, { limit: 100 });
    expect(total).toBe(2);
    const charged = rows.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
    expect(await getWalletBalance(buyer.userId)).toBe(1_000_000 - charged);
  },
);
