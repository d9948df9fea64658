import { expect } from '@playwright/test';
import { db } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { newId } from '@/lib/ids';
import { listOrders } from '@/lib/orders/order/queries';
import { emptyOperator } from '@/lib/tax/operator';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { turnTaxOn } from '@/tests/factories/turn-tax-on';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test.afterEach(async () => {
  await db().delete(settings);
});

test('a buyer enters billing details and sees the tax at checkout', async ({ page }) => {
  // Other tests have given the operator bank accounts.
  await turnTaxOn({ served: { ...emptyOperator.served, euPersons: 'operator_rate' } });
  const buyer = await makeAccount();
  const projectId = await makeProject(buyer);
  await fundWallet(buyer.userId, 50_000);
  const site = await makeSite((await makeUser('Seller')).userId, 10_000, { name: `t${newId().slice(-10)}` });
  const checkout = `/user/cart?site=${site}&project=${projectId}`;

  // Without a country the tax is not known.
  await signInAs(page, 'user', buyer.email, checkout);
  const main = page.getByRole('main');
  await expect(main.getByText('Enter your country under Billing')).toBeVisible();
  await main.getByRole('link', { name: 'Billing' }).click();
  await page.waitForURL('**/user/billing');

  // The fields are those of the country.
  await main.getByLabel('Country').selectOption('AE');
  await expect(main.getByLabel('Emirate')).toBeVisible();
  await expect(main.getByLabel('Postcode')).toHaveCount(0);
  await main.getByLabel('Country').selectOption('DE');
  await expect(main.getByLabel('Emirate')).toHaveCount(0);
  await main.getByLabel('Company').fill('Müller GmbH');
  await main.getByLabel('Postcode').fill('10115');
  await main.getByLabel('VAT id').fill('DE 136695976');
  await main.getByRole('button', { name: 'Save billing details' }).click();
  await expect(main.getByText('VAT id DE136695976 is valid')).toBeVisible();
  await expect(main.getByText(/Consultation number WAPI\w+\./)).toBeVisible();
  await expectNoViolation(page);

  const order = main.getByRole('region', { name: 'Order' });
  await page.goto(checkout);
  await expect(order).toContainText(/Net\s*\$100.00\s*Reverse charge\s*\$0.00\s*Total, 1 site\s*\$100.00/);

  // Another id, which VIES does not answer about, and then one that is not registered.
  await page.goto('/user/billing');
  await main.getByLabel('VAT id').fill('DE123463111');
  await main.getByRole('button', { name: 'Save billing details' }).click();
  await expect(main.getByText('VAT id DE123463111 could not be checked yet')).toBeVisible();
  // What is typed before the check and during it stays.
  await main.getByLabel('Your reference').fill('CC 7');
  await main.getByRole('button', { name: 'Check again' }).click();
  await main.getByLabel('VAT id').fill('DE123464000');
  await expect(page.getByText('VIES still does not answer.')).toBeVisible();
  await expect(main.getByRole('button', { name: 'Check again' })).toBeEnabled();
  await expect(main.getByLabel('VAT id')).toHaveValue('DE123464000');
  await expect(main.getByLabel('Your reference')).toHaveValue('CC 7');
  await main.getByRole('button', { name: 'Save billing details' }).click();
  await expect(main.getByText('VAT id DE123464000 is not registered in VIES')).toBeVisible();

  await page.goto(checkout);
  await expect(order).toContainText(/Net\s*\$100.00\s*VAT 23%\s*\$23.00\s*Total, 1 site\s*\$123.00/);
  await main.getByRole('button', { name: 'Pay $123.00 · 1 site' }).click();
  await expect(main.getByRole('link', { name: 'View orders' })).toBeVisible();
  expect((await listOrders(buyer, { limit: 10 })).total).toBe(1);
});
