import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectNoViolation } from './expect-no-violation';
import { printedPage } from './pdf-text';
import { signIn, signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const a4: [number, number] = [595, 842];
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

async function choose(page: Page, theme: 'light' | 'dark') {
  await page.addInitScript((chosen) => localStorage.setItem('user-theme', chosen), theme);
}

const unspaced = (text: string) => text.replace(/\s+/g, '');

async function paidOrder(name: string, amountCents = 12_345) {
  const buyer = await makeAccount({ name });
  await fundWallet(buyer.userId, amountCents);
  return { buyer, id: await spendMoney(buyer, amountCents) };
}

test("an invoice opens from the order's details and prints on one A4 page without the screen's controls", async ({
  page,
}) => {
  const { buyer, id } = await paidOrder('Ada Lovelace');
  await choose(page, 'dark');
  await signInAs(page, 'user', buyer.email, `/user/orders?order=${id}`);
  await page.getByRole('dialog').getByRole('link', { name: 'Invoice' }).click();
  const sheet = page.getByRole('article');
  await expect(sheet).toContainText('Total, paid from the wallet');
  const number = (await sheet.getAttribute('aria-label')) ?? '';
  expect(number).toMatch(/^INV-\d{4}-\d{6}$/);
  const fromList = await printedPage(page);
  await page.getByRole('link', { name: 'Open as full page' }).click();
  await page.waitForURL(`**/user/orders/${id}/invoice?*`);
  await expect(sheet).toContainText(number);
  await expect(page).toHaveTitle(new RegExp(number));

  const { website } = (await db().select().from(orders).where(eq(orders.id, id)))[0] ?? { website: '' };
  const { siteName, postalAddress, supportEmail } = await getBranding();
  const today = day.format(new Date());
  const { text, pages, size } = await printedPage(page);
  expect([pages, size]).toEqual([1, a4]);
  expect(fromList).toEqual({ text, pages, size });
  const expected = [
    `${siteName} Invoice ${number} Paid`,
    `Issued ${today} Paid ${today} Order #${id}`,
    `From ${siteName} ${postalAddress} ${supportEmail} Billed to Ada Lovelace ${buyer.email}`,
    'Description Quantity Unit price Amount',
    `Guest posts: ${website} For shop.example.com, linking to https://shop.example.com/spades 1 $123.45 $123.45`,
    'Subtotal $123.45 Tax (0%) $0.00 Total, paid from the wallet $123.45',
    supportEmail && `Questions about this invoice? Write to ${supportEmail}.`,
  ];
  // A long URL may wrap at the end of its column, where the PDF reader inserts a space.
  expect(unspaced(text)).toBe(unspaced(expected.join('')));
});

test('the printed page is light in every theme @full', async ({ page }) => {
  const { buyer, id } = await paidOrder('Grace Hopper');
  await choose(page, 'dark');
  await signInAs(page, 'user', buyer.email, `/user/orders/${id}/invoice`);
  const colours = () =>
    page.getByRole('article').evaluate((sheet) => {
      const heading = sheet.querySelector('h2');
      return {
        ground: getComputedStyle(document.body).backgroundColor,
        ink: heading ? getComputedStyle(heading).color : '',
      };
    });
  const onScreen = await colours();
  await page.emulateMedia({ media: 'print' });
  expect(await colours()).toEqual({ ground: 'rgb(255, 255, 255)', ink: 'rgb(24, 24, 29)' });
  expect(onScreen.ground).not.toBe('rgb(255, 255, 255)');
  for (const gone of ['banner', 'navigation', 'complementary'] as const) {
    await expect(page.getByRole(gone)).toHaveCount(0);
  }
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden();
});

/** As printed: a long name has spaces at its line ends, and one glyph of the font represents two apostrophes. */
const glyphs = (text: string) => text.replaceAll(' ', '').replaceAll('ʼ', '’');
const oddNames = [
  'Zoë “Z” O’Neil & Søn <b>GmbH</b>',
  'Łukasz Żółć, Ελένη Παπαδοπούλου, Юлия Ёлкина',
  'ירושלים',
  '{{name}} $1 %s \\n <script>alert(1)</script>',
  `Count ${'W'.repeat(180)}`,
];
for (const [index, name] of oddNames.entries()) {
  test(`an unusual name is printed unchanged: ${name.slice(0, 40)} ${index === 0 ? '@both-full' : '@both @full'}`, async ({
    page,
  }) => {
    const { buyer, id } = await paidOrder(name);
    await signInAs(page, 'user', buyer.email, `/user/orders/${id}/invoice`);
    await expect(page.getByRole('article')).toContainText(name);
    await expectNoViolation(page);
    const { text, pages } = await printedPage(page);
    expect(pages).toBe(1);
    expect(glyphs(text)).toContain(`Billedto${glyphs(name)}${buyer.email}`);
  });
}

test('a price in another currency is printed with its rate and the charged amount @full', async ({ page }) => {
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 100_000);
  const seller = await makeUser('Seller');
  const siteId = await makeSite(seller.userId, 20_000, { publicPriceCents: 20_000, publicCurrency: 'EUR' });
  const projectId = await makeProject(buyer);
  const { orders: made } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  const [order] = made;
  if (!order) throw new Error('No order was made.');
  await signInAs(page, 'user', buyer.email, `/user/orders/${order.id}/invoice`);
  const { text } = await printedPage(page);
  const charged = `$${(order.chargedCents / 100).toFixed(2)}`;
  expect(text).toMatch(/1 €200\.00 €200\.00 Exchange rate 1 EUR = 1\.\d{2,6} USD/);
  expect(text).toContain(`Subtotal ${charged} Tax (0%) $0.00 Total, paid from the wallet ${charged}`);
});

test('a refund keeps the invoice and adds a credit note @both-full', async ({ page }) => {
  const { buyer, id } = await paidOrder('Refunded Buyer', 5_000);
  await signInAs(page, 'user', buyer.email, `/user/orders/${id}/invoice`);
  const sheet = page.getByRole('article');
  const number = (await sheet.getAttribute('aria-label')) ?? '';
  await updateOrder(await makeUser('Admin'), id, { status: 'Refunded' });
  await page.reload();
  await expect(sheet).toHaveAttribute('aria-label', number);
  await expect(sheet).toContainText('Refunded');
  await expectNoViolation(page);
  const tabs = page.getByRole('navigation', { name: 'Documents of this order' });
  await tabs.getByRole('link', { name: /^CN-/ }).click();
  await expect(sheet.getByRole('heading', { name: 'Credit note' })).toBeVisible();
  await expectNoViolation(page);
  const credit = (await sheet.getAttribute('aria-label')) ?? '';
  await expect(page).toHaveURL(new RegExp(`document=${credit}$`));
  const { text } = await printedPage(page);
  expect(text).toContain(`Credit note ${credit} Returned to the wallet`);
  expect(text).toContain(`For invoice ${number}`);
  expect(text).toContain('Total, returned to the wallet $50.00');
  await page.goBack();
  await expect(sheet.getByRole('heading', { name: 'Invoice' })).toBeVisible();
});

const noInvoice = expecting('404 GET /user/orders/*/invoice');
test("another user's invoice and an unknown one are not found @full", noInvoice, async ({ page }) => {
  const { id } = await paidOrder('Another Buyer');
  await signIn(page, 'user', (await makeAccount()).email);
  for (const wrong of [String(id), '999999999', '0', 'INV-2026-000001', '1e3']) {
    await page.goto(`/user/orders/${wrong}/invoice`);
    await expect(page.getByText(/does not exist/)).toBeVisible();
    await expect(page.getByText('Another Buyer')).toHaveCount(0);
  }
});
