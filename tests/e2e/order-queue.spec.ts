import { expect, type Page } from '@playwright/test';
import { eq, inArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { test } from './watched-test';

const path = '/dashboard/features/orders';
const rowLink = (page: Page, id: number) => page.getByRole('link', { name: `View / Edit order #${id}` });
const dialogOf = (page: Page, id: number) => page.getByRole('dialog').filter({ hasText: `Order #${id}` });

/** A buyer with orders, newest first as in the list. */
async function makeOrders(count: number) {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, count * 1_000);
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.unshift(await spendMoney(buyer, 1_000));
  return { buyer, ids };
}

test('staff work through the queue with the keyboard alone @full', async ({ page }) => {
  test.setTimeout(180_000);
  const { buyer, ids } = await makeOrders(3);
  const [first = 0, second = 0, third = 0] = ids;
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, `${path}?userId=${buyer.userId}`);
  await expect(rowLink(page, first)).toBeVisible();

  await test.step('j and k move between the rows, and stop at the ends', async () => {
    // A key before the page is interactive does nothing.
    await expect(async () => {
      await page.keyboard.press('k');
      await expect(rowLink(page, first)).toBeFocused({ timeout: 1_000 });
    }).toPass();
    for (const id of [second, third, third]) {
      await page.keyboard.press('j');
      await expect(rowLink(page, id)).toBeFocused();
    }
    await page.keyboard.press('k');
    await expect(rowLink(page, second)).toBeFocused();
    for (const isSelected of [true, false]) {
      await page.keyboard.press('x');
      await expect(page.getByLabel(`Select order #${second}`)).toBeChecked({ checked: isSelected });
      await expect(rowLink(page, second)).toBeFocused();
    }
  });

  await test.step('e opens the order, its buttons lead to the neighbors, and closing returns to the row', async () => {
    await page.keyboard.press('e');
    const dialog = dialogOf(page, second);
    await expect(dialog).toBeVisible();
    await expectNoViolation(page);
    // Keys do nothing while the dialog is open.
    await dialog.getByRole('button', { name: 'Previous order' }).focus();
    await page.keyboard.press('j');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Next order' }).click();
    await expect(dialogOf(page, third)).toBeVisible();
    await expect(dialogOf(page, third).getByRole('button', { name: 'Next order' })).toBeDisabled();
    await expect(dialogOf(page, third).getByRole('button', { name: 'Previous order' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(rowLink(page, third)).toBeFocused();
  });

  await test.step('unsaved changes ask before the next order opens', async () => {
    await page.keyboard.press('k');
    await page.keyboard.press('e');
    await dialogOf(page, second).getByLabel('Comments to the buyer').fill('Soon.');
    await dialogOf(page, second).getByRole('button', { name: 'Next order' }).click();
    const question = page.getByRole('alertdialog', { name: `Discard your changes to order #${second}?` });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(dialogOf(page, second).getByLabel('Comments to the buyer')).toHaveValue('Soon.');
    await dialogOf(page, second).getByRole('button', { name: 'Next order' }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(dialogOf(page, third)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('? lists the keys, which can be turned off, and fields keep their letters', async () => {
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help).toContainText('Next order');
    await expectNoViolation(page);
    await help.getByRole('switch').click();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    await expect(page.locator('tr :focus')).toHaveCount(0);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await help.getByRole('switch').click();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await page.keyboard.press('/');
    await expect(page.getByLabel('Search orders')).toBeFocused();
    await page.keyboard.type('jek?');
    await expect(page.getByLabel('Search orders')).toHaveValue('jek?');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test('selected orders are processed and completed, and refused ones are named', async ({ page }) => {
  test.setTimeout(180_000);
  const { buyer, ids } = await makeOrders(3);
  const [first = 0, second = 0, third = 0] = ids;
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, `${path}?userId=${buyer.userId}`);
  for (const id of [first, second]) await page.getByLabel(`Select order #${id}`).check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('2 orders selected');
  await expectNoViolation(page);
  await bar.getByRole('button', { name: 'Process' }).click();
  const question = page.getByRole('alertdialog', { name: 'Process 2 orders?' });
  await question.getByRole('button', { name: 'Process' }).click();
  await expect(page.getByText('2 orders processed.')).toBeVisible();
  await expect(bar).toBeHidden();
  // The rows of the others could be gone.
  await expect(rowLink(page, third)).toBeFocused();
  for (const id of [first, second]) expect((await getAdminOrder(id)).status).toBe('Processing');
  await db().update(orders).set({ linkUrl: 'https://news.example.com/a' }).where(inArray(orders.id, ids));

  await page.getByLabel('Select every order on this page').check();
  await bar.getByRole('button', { name: 'Complete' }).click();
  await page.getByRole('alertdialog', { name: 'Complete 3 orders?' }).getByRole('button', { name: 'Complete' }).click();
  const refused = page.getByRole('dialog', { name: '1 order could not be completed' });
  await expect(refused.getByRole('listitem')).toHaveText([
    `#${third}Order #${third} is Pending: open it to change its status.`,
  ]);
  await expectNoViolation(page);
  await refused.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByLabel(`Select order #${third}`)).toBeChecked();
  await expect(page.getByLabel(`Select order #${first}`)).not.toBeChecked();
  expect((await getAdminOrder(first)).status).toBe('Completed');
  expect((await getAdminOrder(third)).status).toBe('Pending');
  // Another list begins without a selection.
  await page
    .getByRole('navigation', { name: 'Orders by status' })
    .getByRole('link', { name: /^Pending/ })
    .click();
  await page.waitForURL(({ searchParams }) => searchParams.get('status') === 'Pending');
  await expect(page.getByLabel(`Select order #${third}`)).not.toBeChecked();
  await expect(bar).toBeHidden();
});

test('the queue begins with overdue orders, in tabs with counts @both-full', async ({ page, isMobile }) => {
  const seller = await makeUser('Seller');
  const { id } = await makePlacement('accepted', { seller });
  await db().update(orders).set({ status: 'Processing' }).where(eq(orders.id, id));
  await db()
    .update(placements)
    // Later tests are overdue for longer.
    .set({ deliveryDueAt: sql`now() - make_interval(days => 900 + ${id}::int)` })
    .where(eq(placements.orderId, id));
  await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, path);
  const firstRow = page.locator('tbody tr').first();
  await expect(firstRow).toContainText(`#${id}`);
  await expect(firstRow).toContainText('Overdue since');
  const tabs = page.getByRole('navigation', { name: 'Orders by status' });
  if (isMobile) await page.getByLabel('Status', { exact: true }).selectOption('Processing');
  else {
    await expect(tabs.getByRole('link', { name: /^All [\d,]+\+?$/ })).toHaveAttribute('aria-current', 'page');
    await tabs.getByRole('link', { name: /^Processing [\d,]+\+?$/ }).click();
  }
  await page.waitForURL(({ searchParams }) => searchParams.get('status') === 'Processing');
  await expect(firstRow).toContainText(`#${id}`);
  await expectNoViolation(page);
});
