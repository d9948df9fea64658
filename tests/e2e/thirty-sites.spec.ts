import { expect } from '@playwright/test';
import { newId } from '@/lib/ids';
import { listOrders } from '@/lib/orders/order/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { countClicks } from './count-clicks';
import { expectNoViolation } from './expect-no-violation';
import { checkoutLink } from './open-cart';
import { payButton } from './pay-button';
import { signInAs } from './sign-in';
import { test } from './watched-test';

const count = 30;

test('30 sites are bought with 30 briefs pasted from a sheet, in at most 12 clicks', async ({ page, context }) => {
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
  await signInAs(page, 'user', buyer.email, `/user/marketplace?q=${word}&rows=50`);
  const clicks = await countClicks(page);
  await page.reload();

  await page.getByLabel('Select all rows of this page').check();
  await checkoutLink(page).click();
  const grid = page.getByRole('grid', { name: 'Briefs' });
  await expect(grid.getByRole('rowheader')).toHaveCount(count + 1);
  // As Excel copies it: another order of the rows, a cell with two lines, and figures as people write them.
  const lines = hosts
    .map((host, index) => {
      const words = index === 7 ? 'long' : '1,200';
      return `${host}\tanchor ${index}\tdo-follow\t${words}\t"First line\nof ""brief"" ${index}"\thttps://shop.example.com/${index}`;
    })
    .reverse();
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    ['Domain\tAnchor\tRel\tWords\tNotes\tTarget URL', ...lines, ''].join('\r\n'),
  );
  await grid.getByRole('gridcell').nth(1).focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(page.getByText(`Pasted ${5 * count} cells for ${count} sites.`)).toBeVisible();

  await page.getByRole('button', { name: '1 cell to correct' }).click();
  const broken = grid.getByRole('gridcell', { name: /^long/ });
  await expect(broken).toBeFocused();
  await expectNoViolation(page);
  // Enter moves down, and the cell above is filled down again.
  await page.keyboard.type('1.500');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+d');
  await expect(grid.getByRole('gridcell', { name: '1500', exact: true })).toHaveCount(2);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(grid.getByRole('gridcell', { name: '1500', exact: true })).toHaveCount(1);
  // An edit that is left unsaved is there after a reload.
  await page.reload();
  await expect(grid.getByRole('gridcell', { name: '1500', exact: true })).toHaveCount(1);

  await page.getByRole('button', { name: payButton }).click();
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
