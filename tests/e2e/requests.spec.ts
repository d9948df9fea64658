import { expect } from '@playwright/test';
import { inAccount } from '@/lib/access/account-choice';
import { joinAgency, makeAgency, makeRequest } from '@/tests/factories/make-request';
import { expectNoViolation } from './expect-no-violation';
import { signIn } from './sign-in';
import { test } from './watched-test';

test('a request is approved in part by an owner, and the order keeps who approved it', async ({ page }) => {
  const agency = await makeAgency(50_000);
  const buyer = await joinAgency(agency, 'buyer');
  await makeRequest(agency, buyer, [6_000, 5_000]);
  await signIn(page, 'user', agency.owner.email);
  await page.goto(inAccount('/user', agency.id));
  await page.getByRole('navigation', { name: 'Customer area' }).getByRole('link', { name: 'Requests 1 open' }).click();
  await page.waitForURL('**/user/requests');
  await page.getByRole('table').getByRole('link', { name: '2 items' }).click();
  const order = page.getByRole('region', { name: 'Order' });
  await order.getByRole('checkbox').last().uncheck();
  await expectNoViolation(page);
  await order.getByRole('button', { name: 'Approve selected $60.00' }).click();
  await expect(page.getByText('1 order placed.')).toBeVisible();
  await expect(order.getByText('Approved', { exact: true })).toBeVisible();
  await expect(order.getByText('Declined', { exact: true })).toBeVisible();
  const link = await order.getByRole('link', { name: /^Order #/ }).textContent();
  const number = link?.replace('Order #', '');
  await page.goto(`/user/orders?order=${number}`);
  const dialog = page.getByRole('dialog', { name: `Order #${number}` });
  await expect(dialog).toContainText(`Ordered by${buyer.name}`);
  await expect(dialog.getByRole('list', { name: 'Timeline' })).toContainText(
    `Requested by ${buyer.name}, approved by you`,
  );
});
