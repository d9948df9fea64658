import { expect } from '@playwright/test';
import { getWalletBalance } from '@/lib/ledger/balance';
import { listOrders } from '@/lib/orders/order/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { openCart } from './open-cart';
import { payButton } from './pay-button';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test(
  'an order whose response was lost is charged once, on plain HTTP too',
  expecting('net::ERR_CONNECTION_RESET POST /api/user/carts/*/order'),
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
    await page.route('**/api/user/carts/*/order', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (lost-- <= 0) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    const cart = await openCart(page);
    await cart.getByRole('button', { name: payButton }).click();
    const alert = cart.getByRole('alert').filter({ hasText: 'no response was received' });
    await expect(alert).toContainText(
      'Failed to add to orders: no response was received. The order may still have been placed',
    );
    await expect(alert.getByRole('link', { name: 'My Orders' })).toHaveAttribute('href', '/user/orders');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(alert.getByRole('button', { name: 'Try again' })).toBeEnabled();
    expect(keys).toHaveLength(2);

    // The first request has emptied the cart. Its answer is asked for again.
    await page.reload();
    await expect(cart.getByText('No site selected.')).toBeVisible();
    await cart.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Added to orders successfully.')).toBeVisible();
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    const { rows, total } = await listOrders(buyer, { limit: 100 });
    expect(total).toBe(2);
    const charged = rows.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
    expect(await getWalletBalance(buyer.userId)).toBe(1_000_000 - charged);
  },
);
