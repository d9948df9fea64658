import { type Browser, expect, type Page } from '@playwright/test';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { leaveCheckToJob, passLinkTime, watchOf } from '@/tests/setup/link-checks';
import { mailsTo } from '@/tests/setup/mailbox';
import { accept, approve, deliver } from '@/tests/setup/placement-verbs';
import { deletePage, publishPage, requestsOf } from '@/tests/setup/publisher';
import { press } from './by-keyboard';
import { countClicks } from './count-clicks';
import { expectNoViolation } from './expect-no-violation';
import { button, entry, expectBalance, expectSeen, link } from './find';
import { readPdf } from './pdf-text';
import { signIn, signInAs } from './sign-in';
import { allowing, expecting, test } from './watched-test';

const gateway = process.env.TEST_GATEWAY_URL ?? '';
const day = 86_400_000;
const target = 'https://shop.example.com/spades';

/** Of the names and addresses of a test's sites. */
let word: string;
let buyer: Actor;
let seller: Actor;
let projectId: string;

test.beforeEach(async () => {
  word = `k${newId().slice(-10).toLowerCase()}`;
  [buyer, seller] = await Promise.all([makeAccount(), makeAccount({ role: 'Seller' })]);
  projectId = await makeProject(buyer, { domain: `${word}.example.net`, targetUrl: target });
  await fundWallet(buyer.userId, 50_000);
});

type Ordered = { id: number; buyer: Actor; seller: Actor; host: string; url: string };

/** Orders a site for $100.00, of which the seller earns $60.00, with a dofollow link and the text "garden spades". */
async function order(name: string, { isFulfilledByStaff = false } = {}): Promise<Ordered> {
  const host = `${name}-${word}.example.com`;
  const site = { name: `${word} ${name}`, url: `https://${host}`, sellerPriceCents: 6_000, isFulfilledByStaff };
  const siteId = await makeSite(seller.userId, 10_000, site);
  const brief = { anchor: 'garden spades', rel: 'dofollow' as const };
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId], brief });
  return { id: orders[0]?.id ?? 0, buyer, seller, host, url: `https://${host}/garden-spades` };
}

async function deliverOrder(name: string): Promise<Ordered> {
  const placed = await order(name);
  await accept(placed);
  await deliver(placed, placed.url);
  await leaveCheckToJob(placed.id);
  return placed;
}

/** Waits until the job has checked an order's link. */
const expectChecked = (orderId: number, verdict: string) =>
  expect.poll(async () => (await watchOf(orderId)).verdict).toBe(verdict);

const openBrowser = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();
const rooms = { user: '/user/orders', seller: '/seller/orders', admin: '/dashboard/features/orders' };
const linkChecks = '/dashboard/features/link-checks';
const card = (page: Page) => page.getByRole('region', { name: 'Link checks' });
const marks = (page: Page) => card(page).getByRole('list', { name: 'Results of the checks, oldest first' });

/** Requests a check, and waits for its result. */
async function check(page: Page, name: string, result: string): Promise<void> {
  // A message of an earlier check may still be on the screen.
  const answer = page.waitForResponse((response) => /\/(checks|repaired)$/.test(response.url()) && response.ok());
  await button(page, name).click();
  await answer;
  await expectSeen(page, `Checked: ${result}`);
  await page.reload();
}

/** On the gateway's page Publisher: changes how a page is served. */
async function change(desk: Page, host: string, name: string): Promise<void> {
  await desk.goto(`${gateway}/publisher?search=${host}`);
  await desk.getByRole('row').filter({ hasText: host }).getByRole('button', { name }).click();
  await expect(desk.getByRole('heading', { level: 1 })).toContainText(host);
}

// The gateway's page shows a published page in a frame without scripts.
const framed = allowing('console: Blocked script execution in *', expecting());

test('each result of a check is shown to the buyer, the seller and the desk @full', framed, async ({ browser }) => {
  test.setTimeout(300_000);
  const [user, shop, desk] = await Promise.all([openBrowser(browser), openBrowser(browser), openBrowser(browser)]);
  const { id, host, url } = await deliverOrder('all');
  await signInAs(user, 'user', buyer.email, `${rooms.user}/${id}`);
  await signIn(shop, 'seller', seller.email);
  await signIn(desk, 'admin', (await makeAccount({ role: 'Admin' })).email);

  await test.step('the link is checked by itself within seconds', async () => {
    await expectChecked(id, 'ok');
    await user.reload();
    await expect(card(user)).toContainText('In order');
    await expect(link(card(user), 'Link passport')).toHaveAttribute('href', /\/proof\//);
    const [robots, page] = await requestsOf(host);
    expect([robots?.url, page?.url]).toEqual([`http://${host}/robots.txt`, `http://${host}/garden-spades`]);
    expect(page?.headers['user-agent']).toContain('LinkMarketBot');
    expect(Object.keys(page?.headers ?? {})).not.toContain('cookie');
    expect(Object.keys(page?.headers ?? {})).not.toContain('referer');
    await approveInRoom(user);
  });

  const cases = [
    ['Set nofollow', 'Changed', 'The link has another rel attribute than requested.', 'The link changed'],
    ['Set noindex', 'Changed', 'The page asks search engines not to list it (meta robots).', 'The link changed'],
    ['Lose the link', 'Not found', 'The page has no link to the target.', 'The newest check did not find the link'],
    ['Redirect', 'Not found', 'The page leads to another website.', 'The newest check did not find the link'],
    ['Answer 403', 'Unknown', 'The website answered with an error or refused the check.', 'Live'],
    ['Hang', 'Unknown', 'The website did not answer in time.', 'Live'],
    ['404', 'Not found', 'The page does not exist (404 or 410).', 'The newest check did not find the link'],
  ] as const;
  for (const [state, result, reason, step] of cases) {
    await test.step(`${state}: ${result}`, async () => {
      if (state === '404') await deletePage(url);
      else await change(desk, host, state);
      await check(user, 'Check now', result);
      await Promise.all([
        shop.goto(`${rooms.seller}/${id}`),
        desk.goto(`${linkChecks}?verdict=${{ Changed: 'changed', 'Not found': 'broken', Unknown: 'unknown' }[result]}`),
      ]);
      for (const page of [user, shop]) {
        await expect(card(page)).toContainText(result);
        await expect(card(page)).toContainText(reason);
      }
      await expect(user.getByRole('heading', { name: step, exact: true })).toBeVisible();
      await expect(entry(desk, host)).toContainText(result);
      await expect(entry(desk, host)).toContainText(reason);
    });
  }

  await test.step('the strip of checks has all results, and each room is accessible', async () => {
    await deletePage(url);
    await publishPage({ url, html: `<p><a href="${target}">garden spades</a></p>` });
    await check(user, 'Check now', 'In order');
    await expect(marks(user).getByRole('listitem')).toHaveText(
      [
        'In order',
        'In order',
        'Changed',
        'Changed',
        'Not found',
        'Not found',
        'Unknown',
        'Unknown',
        'Not found',
        'In order',
      ].map((result) => new RegExp(`^${result}, `)),
    );
    await desk.goto(`${rooms.admin}/${id}`);
    await check(desk, 'Check now', 'In order');
    await expect(marks(desk).getByRole('listitem')).toHaveCount(11);
    await shop.reload();
    for (const page of [user, shop, desk]) await expectNoViolation(page);
    for (const secret of [buyer.name, buyer.email, '100.00']) expect(await shop.content()).not.toContain(secret);
    for (const secret of [seller.email, '60.00']) expect(await user.content()).not.toContain(secret);
  });
});

async function approveInRoom(page: Page): Promise<void> {
  await button(page, 'Approve').click();
  await button(page.getByRole('alertdialog'), 'Approve').click();
  await expect(page.getByRole('heading', { name: 'Live', exact: true })).toBeVisible();
}

test('a missing link stops the money until its repair, and is lost without one @full', async ({ browser }) => {
  test.setTimeout(240_000);
  const [user, shop, desk] = await Promise.all([openBrowser(browser), openBrowser(browser), openBrowser(browser)]);
  const placed = await deliverOrder('lost');
  const { id, host, url } = placed;
  await expectChecked(id, 'ok');
  await approve(placed);
  await publishPage({ url, html: '<p>The link was here.</p>' });
  await signInAs(user, 'user', buyer.email, `${rooms.user}/${id}`);
  await signIn(shop, 'seller', seller.email);
  await signIn(desk, 'admin', (await makeAccount({ role: 'Admin' })).email);
  const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
  const missing = new RegExp(`The link of order #${id} is missing`);

  await test.step('one result calls nothing missing', async () => {
    await check(user, 'Check now', 'Not found');
    await shop.goto('/seller/orders?tab=repair');
    await expectSeen(shop, 'No links to repair');
    expect((await subjects(seller.email)).filter((subject) => missing.test(subject))).toEqual([]);
  });

  await test.step('a second result a day later tells the seller what was found and when the money is lost', async () => {
    await passLinkTime(id, day + 60_000);
    await check(user, 'Check now', 'Not found');
    await expect(user.getByRole('heading', { name: 'The link is missing' })).toBeVisible();
    await expect(card(user)).toContainText('Repair due in 7 days');
    for (const { email } of [buyer, seller])
      await expect.poll(async () => (await subjects(email)).some((subject) => missing.test(subject))).toBe(true);
    await shop.goto('/seller');
    await expect(link(shop, /^To repair/)).toContainText('1');
    await link(shop, /^To repair/).click();
    const row = entry(shop, host);
    await expect(row).toContainText('The page has no link to the target.');
    await expect(row).toContainText('Stopped yesterday');
    await expect(row).toContainText('$36.00 returns to the buyer in 7 days');
    await expectNoViolation(shop);
  });

  await test.step('a repair that a check confirms starts the money again', async () => {
    await check(shop, `Report a repair of order #${id}`, 'Not found');
    await publishPage({ url, html: `<p><a href="${target}">garden spades</a></p>` });
    await check(shop, `Report a repair of order #${id}`, 'In order');
    await expectSeen(shop, 'No links to repair');
    await user.reload();
    await expect(user.getByRole('heading', { name: 'Live', exact: true })).toBeVisible();
  });

  await test.step('without a repair, what is not payable returns to the buyer, and the passports are revoked', async () => {
    const passport = (await link(card(user), 'Link passport').getAttribute('href')) ?? '';
    await publishPage({ url, html: '<p>The link was here.</p>' });
    await desk.goto(`${rooms.admin}/${id}`);
    await check(desk, 'Check now', 'Not found');
    // The job checks a link that is due.
    await passLinkTime(id, 1.1 * day);
    await expect.poll(async () => (await watchOf(id)).repairDueAt).toBeTruthy();
    await passLinkTime(id, 7.1 * day);
    await expect.poll(async () => (await watchOf(id)).endedAt).toBeTruthy();
    await user.reload();
    await expect(user.getByRole('heading', { name: 'The link was lost' })).toBeVisible();
    await shop.goto(`${rooms.seller}/${id}`);
    await expect(shop.getByRole('heading', { name: 'The link was lost' })).toBeVisible();
    await expect(button(shop, 'Report a repair')).toHaveCount(0);
    await user.goto('/user/wallet');
    await expectBalance(user, '$460.00');
    await user.goto(passport);
    await expect(user.getByRole('main').getByRole('alert')).toContainText('This passport was revoked');
    expect((await verifyBooks()).checks.filter(({ broken }) => broken > 0)).toEqual([]);
  });
});

test("a project's links are counted, reported, printed and exported with their results @both-full", async ({
  page,
  context,
}) => {
  test.setTimeout(180_000);
  const states = [
    ['fine', null, 'ok', 'In order'],
    ['soft', 'nofollow', 'changed', 'Changed'],
    ['gone', 'lost', 'broken', 'Not found'],
    ['wall', 'forbidden', 'unknown', 'Unknown'],
  ] as const;
  const html = `<p>Published by us: <a href="${target}">garden spades</a>.</p>`;
  const placed: Ordered[] = [];
  for (const [name, state] of states) {
    // Staff fulfill the last one: its live link is checked as well.
    const ordered = await order(name, { isFulfilledByStaff: name === 'wall' });
    await publishPage({ url: ordered.url, html, ...(state && { change: state }) });
    if (name === 'wall') {
      const admin = await makeAccount({ role: 'Admin' });
      await updateOrder(admin, ordered.id, { status: 'Live', linkUrl: ordered.url });
    } else {
      await accept(ordered);
      await deliver(ordered, ordered.url);
      await approve(ordered);
      await leaveCheckToJob(ordered.id);
    }
    placed.push(ordered);
  }
  await Promise.all(states.map(([, , verdict], index) => expectChecked(placed[index]?.id ?? 0, verdict)));

  await signInAs(page, 'user', buyer.email, '/user/orders');
  const labels = { ok: 'Completed', changed: 'Link changed', broken: 'Link not found', unknown: 'Completed' };
  for (const [name, , verdict] of states) await expect(entry(page, `${name}-${word}`)).toContainText(labels[verdict]);
  await expectNoViolation(page);

  await page.goto(`/user/projects/${projectId}?tab=links`);
  for (const [name, , , result] of states) {
    await expect(entry(page, `${name}-${word}`)).toContainText(result);
    await expectSeen(page, new RegExp(`^${result} 1$`));
  }
  await expectNoViolation(page);

  // A client report of these links, by keyboard: the tab, the report, its link.
  const clicks = await countClicks(page);
  await page.goto(`/user/projects/${projectId}`);
  await press(page, page.getByRole('link', { name: 'Reports', exact: true }));
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(new Date().toISOString().slice(0, 10));
  await press(page, page.getByRole('button', { name: 'Create report' }));
  await press(page, page.getByRole('button', { name: /^Copy the link of the report/ }));
  expect(clicks()).toBeLessThanOrEqual(4);
  await expectNoViolation(page);
  const address = (await page.getByRole('link', { name: 'Open', exact: true }).getAttribute('href')) ?? '';

  const client = await context.browser()?.newContext();
  if (!client) throw new Error('There is no browser.');
  const report = await client.newPage();
  await report.goto(address);
  await expect(report.getByRole('heading', { level: 1 })).toHaveText(`Link report for ${word}.example.net`);
  await expectNoViolation(report);
  const csv = await (await client.request.get(`${address}.csv`)).text();
  const pdf = await readPdf(await (await client.request.get(`${address}.pdf`)).body());
  const rows = report.getByRole('table').last().getByRole('row');
  await expect(rows).toHaveCount(csv.trim().split('\r\n').length);
  for (const { url } of placed) {
    await expect(report.getByRole('link', { name: url })).toBeVisible();
    expect(csv).toContain(url);
    expect(pdf.text.replaceAll(' ', '')).toContain(url);
  }
  await client.close();
});
