import { readFile } from 'node:fs/promises';
import { type Browser, expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { listOrders } from '@/lib/orders/order/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { accept, deliver } from '@/tests/setup/placement-verbs';
import { withoutTimes } from '@/tests/setup/without-times';
import { press, tabTo, type } from './by-keyboard';
import { expectNoViolation } from './expect-no-violation';
import { button, checkbox, entry, expectBalance, expectSeen, file, link } from './find';
import { checkoutLink, openCart } from './open-cart';
import { payButton } from './pay-button';
import { signIn, signInAs } from './sign-in';
import { expecting, test } from './watched-test';

test.describe.configure({ mode: 'parallel', timeout: 180_000 });

/** Of the names and addresses of a test's sites. */
let word: string;
let buyer: Actor;
let seller: Actor;

test.beforeEach(async () => {
  word = `p${newId().slice(-10).toLowerCase()}`;
  [buyer, seller] = await Promise.all([makeAccount(), makeAccount({ role: 'Seller', name: `Sam ${word}` })]);
  await makeProject(buyer);
  await fundWallet(buyer.userId, 20_000);
});

const siteOf = (name: string, earns: number) => ({
  name: `${word} ${name}`,
  url: `https://${name}-${word}.example.com`,
  sellerPriceCents: earns,
  isFulfilledByStaff: false,
});

/** A site that its owner fulfills. @param earns the seller's share in USD cents, as the price */
const offerSite = (name: string, price: number, earns: number) => makeSite(seller.userId, price, siteOf(name, earns));

/** An order of such a site, paid with money beside the $200, which the seller has accepted. */
async function acceptedOrder(name: string, price: number, earns: number): Promise<Offer> {
  const offer = await makeOffer(price, siteOf(name, earns), { buyer, seller });
  await accept(offer);
  return offer;
}

const numberOf = async (name: string): Promise<number> =>
  (await listOrders(buyer, { limit: 10 })).rows.find(({ website }) => website.includes(`${name}-${word}`))?.id ?? 0;

const openBrowser = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();
const rooms = { user: '/user/orders', seller: '/seller/orders', admin: '/dashboard/features/orders' };

/** From here on, `expectStep` and `expectReceived` fail if the page was loaded again. */
const markLoad = (page: Page) => page.evaluate(() => Object.assign(window, { isSameLoad: true }));
const expectSameLoad = async (page: Page) => expect(await page.evaluate(() => 'isSameLoad' in window)).toBe(true);
async function openRoom(page: Page, portal: keyof typeof rooms, id: number): Promise<void> {
  await page.goto(`${rooms[portal]}/${id}`);
  await expect(page.getByRole('log')).toBeVisible();
  await markLoad(page);
}

/** Opens the room of an order as its buyer, its seller and, unless they need none, staff. */
async function openRooms(browser: Browser, id: number, withStaff = true) {
  const [user, shop, desk] = await Promise.all([openBrowser(browser), openBrowser(browser), openBrowser(browser)]);
  const staff = withStaff ? (await makeAccount({ role: 'Admin' })).email : undefined;
  await Promise.all([
    signIn(user, 'user', buyer.email).then(() => openRoom(user, 'user', id)),
    signIn(shop, 'seller', seller.email).then(() => openRoom(shop, 'seller', id)),
    staff && signIn(desk, 'admin', staff).then(() => openRoom(desk, 'admin', id)),
  ]);
  return { user, shop, desk };
}

/** The seller's pages show what an order earned, and the books are exact. */
async function expectEarned(shop: Page, name: string, money: string): Promise<void> {
  await shop.goto('/seller/earnings/statement?account=pending');
  await expect(entry(shop, new RegExp(`${name}-${word}.*\\+\\${money}`))).toBeVisible();
  await shop.goto('/seller/earnings');
  await shop.getByText('Show as a table').click();
  await expectSeen(shop, money);
  expect((await verifyBooks()).checks.filter(({ broken }) => broken > 0)).toEqual([]);
}

/** The room's next step, which changes without a reload. */
async function expectStep(page: Page, title: string): Promise<void> {
  await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
  await expectSameLoad(page);
}

const message = (page: Page, text: string) => page.getByRole('log').getByRole('article').filter({ hasText: text });

async function write(page: Page, text: string, attached?: ReturnType<typeof file>): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  if (attached) await page.getByLabel('Attach files').setInputFiles(attached);
  await button(page, 'Send').click();
  await expect(message(page, text)).toContainText('You');
}

async function expectReceived(page: Page, author: string, text: string): Promise<void> {
  await expect(message(page, text)).toContainText(author);
  await expectSameLoad(page);
}

/** Opens a dialog by its button, and sends it with these values by the labels of its fields. */
async function send(page: Page, opener: string, submit = opener, fields: Record<string, string> = {}): Promise<void> {
  await button(page, opener).click();
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog.getByLabel(label);
    if (await field.evaluate((element) => element instanceof HTMLSelectElement)) await field.selectOption(value);
    else await field.fill(value);
  }
  await button(dialog, submit).click();
  await expect(dialog).toBeHidden();
}

/** Checks the page of an order, and delivers it. */
async function deliverPage(page: Page, url: string): Promise<void> {
  await button(page, 'Deliver').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL of the page').fill(url);
  await button(dialog, 'Check the page').click();
  await expect(dialog.getByText('The link is in order')).toBeVisible();
  await button(dialog, 'Deliver').click();
  await expect(dialog).toBeHidden();
}

/** Reads a room until its messages are marked as read. */
async function readRoom(page: Page, portal: keyof typeof rooms, id: number): Promise<void> {
  const marked = page.waitForResponse(
    (answer) => answer.url().endsWith(`${rooms[portal]}/${id}`) && answer.request().method() === 'POST',
  );
  await openRoom(page, portal, id);
  expect((await marked).ok()).toBe(true);
}

test('a cart of two sites with one brief and an exception becomes orders, and the seller accepts one @both-full', async ({
  browser,
  isMobile,
}) => {
  await Promise.all([offerSite('one', 6_001, 3_333), offerSite('two', 8_005, 5_003)]);
  const [user, shop, desk] = await Promise.all([openBrowser(browser), openBrowser(browser), openBrowser(browser)]);
  await signInAs(user, 'user', buyer.email, `/user/marketplace?q=${word}`);
  for (const name of ['one', 'two']) await checkbox(user, `Select ${word} ${name}`).check();
  const cart = await openCart(user);
  const edit = async (row: string, column: number, text: string) => {
    await cart.getByRole('row', { name: row }).getByRole('gridcell').nth(column).click();
    await user.keyboard.type(text);
    await user.keyboard.press('Enter');
  };
  const editInDialog = async (opener: string, texts: Record<string, string>) => {
    await button(cart, opener).click();
    for (const [label, text] of Object.entries(texts)) await user.getByRole('dialog').getByLabel(label).fill(text);
    await button(user.getByRole('dialog'), 'Apply').click();
    await expect(user.getByRole('dialog')).toBeHidden();
  };
  if (isMobile) {
    const all = { 'Anchor text': 'gravel bikes', 'Notes for the publisher': 'No prices in the text.' };
    await editInDialog('Same brief for all sites', all);
    await editInDialog(`Edit brief of ${word} two`, { 'Anchor text': 'city bikes' });
  } else {
    await edit('Same for all', 1, 'gravel bikes');
    await edit('Same for all', 6, 'No prices in the text.');
    await edit(`${word} two`, 1, 'city bikes');
  }
  await cart.getByRole('button', { name: payButton }).click();
  await expectSeen(user, 'Added to orders successfully.');
  await user.goto('/user/wallet');
  await expectBalance(user, '$59.94');
  const [one, two] = await Promise.all([numberOf('one'), numberOf('two')]);

  await signInAs(shop, 'seller', seller.email, '/seller/orders');
  await expect(entry(shop, `one-${word}`)).toContainText('$33.33');
  await expectNoViolation(shop);
  await link(shop, `Order #${two}`).click();
  await expect(shop.getByRole('region', { name: 'Brief' })).toContainText('city bikes');
  await Promise.all([openRoom(shop, 'seller', one), openRoom(user, 'user', one)]);
  const brief = shop.getByRole('region', { name: 'Brief' });
  for (const text of ['gravel bikes', 'No prices in the text.']) await expect(brief).toContainText(text);
  await send(shop, 'Accept', 'Accept order');
  await expectStep(shop, 'Publish the placement, then deliver its URL');
  await expectStep(user, 'The seller is preparing the placement');
  await signInAs(desk, 'admin', (await makeAccount({ role: 'Admin' })).email, `/dashboard/features/orders?q=${one}`);
  for (const text of [seller.name, 'Processing', 'Publish by'])
    await expect(entry(desk, `one-${word}`)).toContainText(text);
});

test('three people write messages with files, which appear without a reload and are marked until they are read @both-full', async ({
  browser,
}) => {
  const { id } = await acceptedOrder('one', 6_001, 3_333);
  const { user, shop, desk } = await openRooms(browser, id);
  await write(user, 'The pictures are attached.', file('Pictures.txt', 'Three pictures.'));
  await expectReceived(shop, 'Buyer', 'The pictures are attached.');
  await expectReceived(desk, `${buyer.name} (buyer)`, 'The pictures are attached.');
  const download = shop.waitForEvent('download');
  await message(shop, 'The pictures are attached.').getByRole('link').click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe('Three pictures.');
  await write(shop, 'Thank you. Or write to sam@example.net.', file('Draft.txt', 'The draft.'));
  await expectReceived(user, 'Seller', 'Thank you.');
  await expect(message(user, 'Thank you.').getByRole('link', { name: /^Draft\.txt/ })).toBeVisible();
  await expectReceived(desk, 'Contact data', 'Thank you.');
  await write(desk, 'Please stay in this room.');
  await expectReceived(user, 'Our team', 'Please stay in this room.');
  await expectReceived(shop, 'Our team', 'Please stay in this room.');
  for (const page of [user, shop, desk]) await expectNoViolation(page);
  for (const secret of [buyer.name, buyer.email, '60.01'])
    expect(withoutTimes(await shop.content())).not.toContain(secret);
  for (const secret of [seller.name, seller.email, '33.33'])
    expect(withoutTimes(await user.content())).not.toContain(secret);

  await Promise.all([user.goto('/user/wallet'), desk.goto('/dashboard')]);
  await write(shop, 'The page is nearly ready.');
  await user.goto('/user/orders');
  await expect(entry(user, `one-${word}`)).toContainText('1 unread message');
  await desk.goto('/dashboard/features/orders');
  await expect(link(desk, `Unread messages about order #${id}`)).toBeVisible();
  await readRoom(user, 'user', id);
  await shop.goto('/seller');
  await write(user, 'I look forward to it.');
  await shop.goto('/seller/orders');
  await expect(link(shop, `Unread messages about order #${id}`)).toBeVisible();
  await readRoom(shop, 'seller', id);
  await user.goto('/user/orders');
  await expect(entry(user, `one-${word}`)).toBeVisible();
  await expect(user.getByText('unread message')).toHaveCount(0);
});

test('a seller delivers, the buyer asks for a change and approves the next delivery @both-full', {
  ...expecting('422 POST /api/seller/orders/*/deliver'),
}, async ({ browser }) => {
  const { id } = await acceptedOrder('one', 6_001, 3_333);
  const { user, shop } = await openRooms(browser, id, false);
  await button(shop, 'Deliver').click();
  const dialog = shop.getByRole('dialog', { name: `Deliver order #${id}` });
  await dialog.getByLabel('URL of the page').fill('https://elsewhere.example.net/bikes');
  await button(dialog, 'Check the page').click();
  await expect(dialog.getByText('The page must be on example.com, the site that was ordered.')).toBeVisible();
  // The publisher of the sandbox serves this address without the link.
  await dialog.getByLabel('URL of the page').fill(`https://one-${word}.example.com/lost`);
  await button(dialog, 'Check the page').click();
  await expect(dialog.getByText('The link is not in order')).toBeVisible();
  await expect(dialog.getByRole('table')).toContainText('Not found');
  await button(dialog, 'Deliver anyway').click();
  await dialog.getByLabel('Reason').fill('The editor adds the link on Monday.');
  await button(dialog, 'Deliver with this reason').click();
  await expectStep(user, 'Review the delivery');
  await expect(user.getByText('The editor adds the link on Monday.').first()).toBeVisible();
  const change = { Reason: 'The article has errors', 'What should change?': 'The title.' };
  await send(user, 'Ask for a change', 'Ask for a change', change);
  await expectStep(shop, 'Make the change, then deliver again');
  await expect(shop.getByRole('log')).toContainText('The title.');
  await deliverPage(shop, `https://one-${word}.example.com/gravel-bikes`);
  await expectStep(user, 'Review the delivery');
  await send(user, 'Approve');
  await expectStep(user, 'Live');
  await expectStep(shop, 'Approved');
  await expect(link(user.getByRole('region', { name: 'Delivery' }), /gravel-bikes/)).toBeVisible();
  await expectEarned(shop, 'one', '$33.33');
});

test('a buyer and a seller propose a share, and staff decide beside the evidence @both-full', async ({ browser }) => {
  const offer = await acceptedOrder('two', 8_005, 5_003);
  const { id } = offer;
  await deliver(offer, `https://two-${word}.example.com/bikes`);
  const { user, shop, desk } = await openRooms(browser, id);
  const complaint = { Reason: 'not_as_briefed', 'What is wrong?': 'The anchor is another.' };
  await send(user, 'Open a dispute', 'Open dispute', complaint);
  const share = (percent: string) => ({ 'Share of the price that returns to the buyer': percent });
  await send(user, 'Make a proposal', 'Send proposal', share('40'));
  await expect(shop.getByRole('list', { name: 'Proposals' })).toContainText('40% returns to the buyer');
  await send(shop, 'Make a proposal', 'Send proposal', share('10'));
  await expect(user.getByRole('list', { name: 'Proposals' })).toContainText('10% of the price returns to you');
  await Promise.all([expectNoViolation(user), expectNoViolation(shop)]);
  await desk.goto(`/dashboard/features/disputes?q=${id}`);
  await expect(entry(desk, `Order #${id}`)).toContainText('Buyer 40%, Seller 10%');
  await expect(entry(desk, `Order #${id}`)).toContainText('$80.05');
  await link(desk, `Order #${id}`).click();
  await expect(desk.getByRole('region', { name: 'Dispute' })).toContainText('The anchor is another.');
  await expect(desk.getByRole('region', { name: 'Brief' })).toContainText('spade');
  await expect(link(desk.getByRole('region', { name: 'Placement' }), /two-.*\/bikes/)).toBeVisible();
  await expect(desk.getByRole('log')).toContainText('The buyer opened a dispute.');
  await button(desk, 'Decide').click();
  const dialog = desk.getByRole('dialog', { name: `Decide the dispute of order #${id}` });
  await dialog.getByLabel('Share that returns to the buyer').fill('33');
  const preview = dialog.getByRole('status', { name: 'Preview' });
  for (const cents of ['$26.42', '$33.52', '$20.11']) await expect(preview).toContainText(cents);
  await dialog.getByLabel('Reasons').fill('A third of the work is missing.');
  await expectNoViolation(desk);
  await button(dialog, 'Decide').click();
  for (const page of [user, shop]) {
    await expectStep(page, 'The dispute was settled');
    await expectSeen(page, 'Our team decided: a share of 33% for the buyer');
  }
  await user.goto('/user/wallet');
  await expectBalance(user, '$226.42');
  await expectEarned(shop, 'two', '$33.52');
});

test('an admin takes over an order, which is late @both-full', async ({ browser }) => {
  const { id } = await acceptedOrder('three', 2_000, 1_000);
  await db()
    .update(placements)
    .set({ deliveryDueAt: new Date(0) })
    .where(eq(placements.orderId, id));
  const { shop, desk } = await openRooms(browser, id);
  await desk.goto(`/dashboard/features/orders?mark=late&q=${id}`);
  await expect(entry(desk, `three-${word}`)).toContainText('Overdue since');
  await openRoom(desk, 'admin', id);
  await send(desk, 'Take over', 'Take over', { Reason: 'It is too late.' });
  await expectStep(shop, 'Our team took over this order');
  await expectSeen(shop, 'It is too late.');
  await desk.goto(`/dashboard/features/orders?fulfilledBy=staff&q=${id}`);
  await expect(entry(desk, `three-${word}`)).toContainText('Staff');
});

test('with the keyboard alone, an order is placed, accepted, delivered and approved @full', async ({
  page,
  browser,
}) => {
  await offerSite('keys', 4_000, 2_500);
  const shop = await openBrowser(browser);
  await signInAs(page, 'user', buyer.email, `/user/marketplace?q=${word}`);
  await signInAs(shop, 'seller', seller.email);
  for (const one of [page, shop]) await markLoad(one);

  await press(page, page.getByLabel(`Select ${word} keys`), 'Space');
  await press(page, checkoutLink(page));
  // From the target URL, which is active first, to the anchor text.
  await tabTo(page, page.getByRole('grid').getByRole('gridcell'));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('by keys');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('button', { name: payButton }));
  await expectSeen(page, 'Added to orders successfully.');
  const id = await numberOf('keys');

  await press(shop, link(shop, 'Orders'));
  await press(shop, link(shop, `Order #${id}`));
  await press(shop, button(shop, 'Accept'));
  await press(shop, button(shop.getByRole('alertdialog'), 'Accept order'));
  await press(shop, button(shop, 'Deliver'), 'Space');
  await type(shop, shop.getByLabel('URL of the page'), `https://keys-${word}.example.com/page`);
  await press(shop, button(shop.getByRole('dialog'), 'Deliver'));
  // The focus returns when the dialog has closed.
  await expect(shop.getByRole('dialog')).toBeHidden();
  await type(shop, shop.getByLabel('Message', { exact: true }), 'The page is online.');
  await shop.keyboard.press('Control+Enter');
  await expect(message(shop, 'The page is online.')).toContainText('You');

  await press(page, link(page, 'Orders'));
  await press(page, link(page, `Open order #${id}`));
  await expect(message(page, 'The page is online.')).toContainText('Seller');
  await press(page, button(page, 'Approve'));
  await press(page, button(page.getByRole('alertdialog'), 'Approve'));
  await expectStep(page, 'Live');
  await expectStep(shop, 'Approved');
});
