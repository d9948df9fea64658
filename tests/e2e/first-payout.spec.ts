import { expect, type Locator } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/order/create';
import { updateSiteBody } from '@/lib/sites/edit-schemas';
import { updateSite } from '@/lib/sites/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';
import { approve } from '@/tests/setup/placement-verbs';
import { expectNothingTooWide, expectNoViolation } from './expect-no-violation';
import { button, entry, link } from './find';
import { register } from './journeys/register';
import { password } from './journeys/story';
import { expecting, test } from './watched-test';

/** Types as a person does; a number input refuses to be filled with other characters. */
async function typeInto(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.pressSequentially(text);
}

test(
  'a new seller lists a site, delivers the first order, and requests the first payout @both-full',
  expecting('400 POST /api/seller/sites'),
  async ({ page, isMobile }) => {
    test.setTimeout(180_000);
    const mark = newId().toLowerCase();
    const [name, url] = [`Garden ${mark}`, `https://garden-${mark}.example.com`];
    await register(page, 'seller', 'Sela Seller', `seller-${mark}@example.com`);
    const tiles = page.getByRole('main').getByText(/^(Active Sites|Pending Review|Rejected|Average Price|To answer)$/);
    await expect(tiles).toHaveText(['Active Sites', 'Pending Review', 'Rejected', 'Average Price', 'To answer']);
    await expect(page.getByRole('search')).toHaveCount(1);
    await link(page, 'Bulk Upload').click();
    await expect(page.getByRole('dialog', { name: 'Upload CSV' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('No sites yet.')).toBeVisible();
    await link(page, 'Add site').click();

    const add = page.getByRole('dialog');
    await add.getByLabel('Name').fill(name);
    await add.getByLabel('URL').fill(url);
    await add.getByLabel('Country').fill('Norway');
    await add.getByLabel('Niche').selectOption({ index: 1 });
    await typeInto(add.getByLabel('Your price'), '160,50');
    await typeInto(add.getByLabel('DR', { exact: true }), 'DR 45');
    await typeInto(add.getByLabel('DA', { exact: true }), 'abc');
    await typeInto(add.getByLabel('Monthly traffic'), '12.5k');
    await typeInto(add.getByLabel('Spam score'), '2%');
    await button(add, 'Add site').click();
    await expect(add.getByText('“abc” is not a number: enter DA as 0–100.')).toBeVisible();
    await expect(add.getByLabel('DA', { exact: true })).toHaveValue('abc');
    await expectNoViolation(page);
    await add.getByLabel('DA', { exact: true }).fill('');
    await typeInto(add.getByLabel('DA', { exact: true }), '38');
    await button(add, 'Add site').click();
    await expect(add).toBeHidden();
    for (const text of ['45 / 38', '12,500', '2%', '$160.50', '3 days', 'Pending'])
      await expect(entry(page, name)).toContainText(text);

    const [site] = await db().select().from(sites).where(eq(sites.name, name));
    const { id: siteId = 0 } = site ?? {};
    const sale = updateSiteBody.parse({ status: 'Approved', publicPrice: 200, isFulfilledByStaff: false });
    await updateSite(await makeUser('Admin'), siteId, sale);
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 20_000);
    const projectId = await makeProject(buyer);
    const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    const id = orders[0]?.id ?? 0;

    await page.reload();
    await button(page, 'Notifications, 2 unread').click();
    const news = page.getByRole('link').filter({ hasText: /new, please answer|was approved/ });
    await expect(news).toHaveText([/new, please answer/, /was approved/]);
    await news.first().click();
    await page.waitForURL(`**/seller/orders/${id}`);
    await button(page, 'Accept').click();
    await button(page.getByRole('alertdialog'), 'Accept order').click();
    await button(page, 'Deliver').click();
    const deliver = page.getByRole('dialog', { name: `Deliver order #${id}` });
    await deliver.getByLabel('URL of the page').fill(`${url}/bikes`);
    await button(deliver, 'Check the page').click();
    await button(deliver, 'Deliver').click();
    await expect(deliver).toBeHidden();
    await approve({ id, buyer, seller: buyer });

    if (isMobile) await button(page, 'Open menu').click();
    await link(page, 'Payouts').click();
    await button(page, 'Add payout method').click();
    const dialog = page.getByRole('dialog');
    for (const [label, value] of [
      ['IBAN', 'DE89 3704 0044 0532 0130 00'],
      ['Account holder', 'Sela Seller'],
      ['Street and number', 'Main Street 1'],
      ['Town', 'Berlin'],
      ['Your password', password],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await dialog.getByLabel('Country').selectOption({ label: 'Germany' });
    await button(dialog, 'Save method').click();
    await expect(dialog).toBeHidden();
    await button(page, 'Request payout').click();
    await expect(dialog.getByLabel('Amount')).toHaveValue('64.20');
    await button(dialog, 'Request payout').click();
    await expect(dialog).toBeHidden();
    await expect(entry(page, '$64.20')).toContainText('Requested');
    await expectNothingTooWide(page);
  },
);
