import { expect, type Page } from '@playwright/test';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getCart, listCarts } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { listOrders } from '@/lib/orders/order/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { countClicks } from './count-clicks';
import { expectNoViolation } from './expect-no-violation';
import { button, file } from './find';
import { checkoutLink } from './open-cart';
import { payButton } from './pay-button';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const count = 30;

const title =
  '30 sites are bought with 30 briefs of a sheet, by keyboard or on a phone, in at most 12 clicks @both-full';

test(title, expecting('409 POST /api/user/carts/*/order'), async ({ page, context, isMobile }) => {
  const word = `g${newId().slice(-10)}`;
  const hosts = Array.from({ length: count }, (_, index) => `${word}-${index}.example.com`);
  const seller = await makeUser('Seller');
  await Promise.all(
    hosts.map((host, index) => makeSite(seller.userId, 1_000 + index, { name: host, url: `https://${host}` })),
  );
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 100_000);
  await makeProject(buyer, { domain: 'shop.example.com' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // As Excel copies it: another order of the rows, a cell with two lines, and figures as people write them.
  const lines = hosts
    .map((host, index) => {
      const words = index === 7 ? 'long' : '1,200';
      return `${host}\tanchor ${index}\tdo-follow\t${words}\t"First line\nof ""brief"" ${index}"\thttps://shop.example.com/${index}`;
    })
    .reverse();
  const sheet = ['Domain\tAnchor\tRel\tWords\tNotes\tTarget URL', ...lines, ''].join('\r\n');
  // A key that activates a control counts as a click.
  const clicks = await countClicks(page);
  if (isMobile) {
    await signInAs(page, 'user', buyer.email, '/user/cart');
    await importSheet(page, sheet.replace('\tlong\t', '\t\t'));
    await button(page, `Edit brief of ${hosts[7]}`).click();
    const dialog = page.getByRole('dialog', { name: `Brief · ${hosts[7]}` });
    await dialog.getByLabel('Words').fill('1500');
    await expectNoViolation(page);
    await button(dialog, 'Apply').click();
    await expect(dialog).toBeHidden();
  } else {
    await signInAs(page, 'user', buyer.email, `/user/marketplace?q=${word}&rows=50`);
    await page.getByLabel('Select all rows of this page').press('Space');
    await checkoutLink(page).press('Enter');
    await pasteSheet(page, sheet);
  }
  await saveAgain(buyer);
  await page.getByRole('button', { name: payButton }).press('Enter');
  await expect(page.getByText('Added to orders successfully.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'View orders' })).toBeFocused();
  expect(clicks()).toBeLessThanOrEqual(12);
  const { rows, total } = await listOrders(buyer, { limit: 100 });
  expect(total).toBe(count);
  const briefs = rows.map(({ website, brief }) => ({
    host: new URL(website).hostname,
    ...(brief && { anchor: brief.anchor, rel: brief.rel, words: brief.words, notes: brief.notes, to: brief.targetUrl }),
  }));
  expect(new Set(briefs)).toEqual(
    new Set(
      hosts.map((host, index) => ({
        host,
        anchor: `anchor ${index}`,
        rel: 'dofollow',
        words: index === 7 ? 1_500 : 1_200,
        notes: `First line\nof "brief" ${index}`,
        to: `https://shop.example.com/${index}`,
      })),
    ),
  );
});

/** Saves the cart as it is, as the answer of a reloaded page does that comes late: the order is placed all the same. */
async function saveAgain(buyer: Actor): Promise<void> {
  const [listed] = await listCarts(buyer);
  const read = () => getCart(buyer, listed?.id ?? '');
  // The edit of the reloaded page may be on its way.
  const isEdited = async () =>
    (await read()).items.filter(({ brief }) => String(brief.words ?? '').includes('5')).length;
  await expect.poll(isEdited).toBe(1);
  const { id, items, version } = await read();
  await saveCartItems(buyer, id, { items: items.map(({ siteId, brief }) => ({ siteId, brief })), version });
}

/** Imports the sheet as a file, which a phone has in place of the table. */
async function importSheet(page: Page, sheet: string): Promise<void> {
  await button(page, 'Upload CSV').click();
  const dialog = page.getByRole('dialog', { name: 'Upload CSV' });
  await dialog.getByLabel('CSV file').setInputFiles(file('Briefs.csv', sheet, 'text/csv'));
  await button(dialog, `Import ${count} sites`).click();
  await expect(dialog.getByText(`Added ${count} sites to the cart.`)).toBeVisible();
  await button(dialog, 'OK').click();
}

/** Pastes the sheet into the table, and corrects the cell that cannot be read. */
async function pasteSheet(page: Page, sheet: string): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Briefs' });
  await expect(grid.getByRole('rowheader')).toHaveCount(count + 1);
  await page.evaluate((text) => navigator.clipboard.writeText(text), sheet);
  await grid.getByRole('gridcell').nth(1).focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(page.getByText(`Pasted ${5 * count} cells for ${count} sites.`)).toBeVisible();

  await page.getByRole('button', { name: '1 cell to correct' }).press('Enter');
  await expect(grid.getByRole('gridcell', { name: /^long/ })).toBeFocused();
  await expectNoViolation(page);
  // Enter moves down, and the cell above is filled down again.
  await page.keyboard.type('1.500');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+d');
  const corrected = grid.getByRole('gridcell', { name: '1500', exact: true });
  await expect(corrected).toHaveCount(2);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(corrected).toHaveCount(1);
  // An edit that is left unsaved is there after a reload.
  await page.reload();
  await expect(corrected).toHaveCount(1);
}
