import { expect, type Page } from '@playwright/test';
import { db } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { accountCookie } from '@/lib/access/account-choice';
import { newId } from '@/lib/ids';
import { openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { joinTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { expectNoViolation } from './expect-no-violation';
import { signIn } from './sign-in';
import { test } from './watched-test';

/** Makes a team with an owner and a buyer, whose limit is $100, and a cart of two sites for $110. */
async function makeAgency() {
  const [first, second, seller] = await Promise.all([makeAccount(), makeAccount(), makeUser('Seller')]);
  const team = { accountId: newId(), accountName: 'Agency' };
  await db().insert(accounts).values({ id: team.accountId, kind: 'team', name: team.accountName, email: first.email });
  const owner = await joinTeam(first, team, 'owner');
  const buyer = await joinTeam(second, team, 'buyer', { monthlyLimitCents: 10_000 });
  const projectId = await makeProject(owner, { domain: 'client.example.com' });
  await fundWallet(team.accountId, 50_000);
  const siteIds = [await makeSite(seller.userId, 6_000), await makeSite(seller.userId, 5_000)];
  const cart = await openCart(buyer, projectId);
  await saveCartItems(buyer, cart.id, { items: siteIds.map((siteId) => ({ siteId })), version: cart.version });
  return { team, owner, buyer };
}

async function open(page: Page, email: string, accountId: string, path: string): Promise<void> {
  await signIn(page, 'user', email);
  const url = test.info().project.use.baseURL ?? '';
  await page.context().addCookies([{ name: accountCookie, value: accountId, url }]);
  await page.goto(path);
}

test('an order above a limit is requested, approved in part by an owner, and keeps who approved it', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000);
  const { team, owner, buyer } = await makeAgency();
  await open(page, buyer.email, team.accountId, '/user/cart');
  const bar = page.getByRole('region', { name: 'Order' });
  await expect(bar).toContainText(/Your limit of \$100\.00 for \w+ has \$100\.00 left\./);
  await expect(bar).toContainText('An owner, a manager or Finance of your account can approve this order.');
  await expect(bar).not.toContainText('Wallet');
  await expectNoViolation(page);
  await bar.getByRole('button', { name: 'Request approval' }).click();
  const note = page.getByRole('region', { name: 'Ordered' });
  await expect(note).toContainText('The order waits for approval. Nothing was paid yet.');
  await note.getByRole('link', { name: 'View request' }).click();
  await page.waitForURL('**/user/requests/*');
  await expect(page.getByRole('heading', { name: /Request for client\.example\.com/ })).toContainText('Needs approval');
  await expect(page.getByText('Expires on')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(0);

  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  const desk = await context.newPage();
  await open(desk, owner.email, team.accountId, '/user');
  await desk.getByRole('navigation', { name: 'Customer area' }).getByRole('link', { name: 'Requests 1 open' }).click();
  await desk.waitForURL('**/user/requests');
  await desk.getByRole('table').getByRole('link', { name: '2 items' }).click();
  const order = desk.getByRole('region', { name: 'Order' });
  await order.getByRole('checkbox').last().uncheck();
  await expectNoViolation(desk);
  await order.getByRole('button', { name: 'Approve selected $60.00' }).click();
  await expect(desk.getByText('1 order placed.')).toBeVisible();
  await expect(order.getByText('Approved', { exact: true })).toBeVisible();
  await expect(order.getByText('Declined', { exact: true })).toBeVisible();
  const link = await order.getByRole('link', { name: /^Order #/ }).textContent();
  const number = link?.replace('Order #', '');
  await desk.goto(`/user/orders?order=${number}`);
  const dialog = desk.getByRole('dialog', { name: `Order #${number}` });
  await expect(dialog).toContainText(`Ordered by${buyer.name}`);
  await expect(dialog.getByRole('list', { name: 'Timeline' })).toContainText(
    `Requested by ${buyer.name}, approved by you`,
  );
  await context.close();
});
