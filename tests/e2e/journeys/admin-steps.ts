import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '@/tests/e2e/expect-no-violation';
import { actionsOf, button, checkbox, choose, entry, expectBalance, expectSeen, file, link } from '@/tests/e2e/find';
import { signInByForm } from '@/tests/e2e/sign-in';
import { mailsTo } from '@/tests/setup/mailbox';
import { password, type Story } from './story';

/** Prices three sites with a margin of 25 %, approves two of them and rejects the third. */
export async function reviewSites({ admin, adminEmail, mark, garden, harbour, attic }: Story): Promise<void> {
  await signInByForm(admin, 'admin', adminEmail);
  await admin.goto(`/dashboard/features/guest-posts?q=${mark}`);
  const bar = admin.getByRole('region', { name: 'Selection' });
  const select = async (...names: string[]) => {
    for (const name of names) await checkbox(admin, `Select ${name}`).check();
  };
  await select(garden, harbour, attic);
  await button(bar, 'Set price').click();
  const margin = admin.getByRole('dialog');
  await margin.getByLabel('Margin').fill('25');
  await expectNoViolation(admin);
  await button(margin, 'Set price').click();
  await expect(entry(admin, garden)).toContainText('$50.00');
  await select(garden, harbour);
  await button(bar, 'Approve').click();
  await button(admin.getByRole('alertdialog'), 'Approve').click();
  await expect(entry(admin, garden)).toContainText('Approved');
  await select(attic);
  await button(bar, 'Reject').click();
  const rejection = admin.getByRole('dialog');
  await rejection.getByLabel('Reason').selectOption('The price is too high');
  await rejection.getByLabel('Note to the seller').fill('Comparable sites cost $20.');
  await expectNoViolation(admin);
  await button(rejection, 'Reject').click();
  await expect(entry(admin, attic)).toContainText('Rejected');
}

/** File and live link for one of the orders; the buyer is mailed about each. */
export async function deliverOrder(story: Story): Promise<void> {
  const { admin, mark } = story;
  const dialog = await openOrder(story, `garden-${mark}`);
  await dialog.locator('input[type=file]').setInputFiles(file('Article.txt', 'The delivered article.'));
  await button(dialog, 'Upload content').click();
  await expect(admin.getByText('Content uploaded.')).toBeVisible();
  await expectMail(story, 'The content of', 'Article.txt');
  await dialog.getByLabel('Live link').fill('news.example.com/spades');
  await button(dialog, 'Save changes').click();
  await expect(dialog.getByLabel('Live link')).toHaveValue('https://news.example.com/spades');
  await expectMail(story, 'has a live link', 'https://news.example.com/spades');
}

/** The other order is refunded to the wallet. */
export async function refundOrder(story: Story): Promise<void> {
  const { admin, mark } = story;
  const dialog = await openOrder(story, `harbour-${mark}`);
  await dialog.getByLabel('Comments to the buyer').fill('The harbour takes no posts this month.');
  await button(dialog, 'Reject and refund').click();
  const question = admin.getByRole('alertdialog');
  await expect(question).toContainText('$15.00 is returned to the wallet');
  await expectNoViolation(admin);
  await button(question, 'Reject and refund').click();
  await expect(question).toBeHidden();
  await expect(dialog.getByText('Refunded').first()).toBeVisible();
  await expectMail(story, 'was rejected and refunded', 'The harbour takes no posts this month.');
}

async function openOrder({ admin, buyerEmail }: Story, site: string) {
  await admin.goto(`/dashboard/features/orders?q=${buyerEmail}`);
  await link(entry(admin, site), /^View \/ Edit order #/).click();
  const dialog = admin.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  return dialog;
}

/** The buyer gets a mail with these texts in its subject and body. */
async function expectMail({ buyerEmail }: Story, subject: string, text: string): Promise<void> {
  const mails = async () => (await mailsTo(buyerEmail)).filter((mail) => mail.subject.includes(subject));
  await expect.poll(mails, { intervals: [200] }).toHaveLength(1);
  expect((await mails())[0]?.text).toContain(text);
}

export async function creditWallet({ admin, buyer, buyerEmail }: Story): Promise<void> {
  await admin.goto(`/dashboard/features/wallet-manager?q=${buyerEmail}`);
  await link(admin, 'Top-Up Bo Buyer').click();
  const topUp = admin.getByRole('dialog', { name: 'Manual Top-Up' });
  await topUp.getByLabel(/Amount/).fill('5');
  await topUp.getByLabel('Note').fill('For the patience');
  await button(topUp, 'Credit $5.00').click();
  await expect(topUp).toBeHidden();
  await expect(entry(admin, buyerEmail)).toContainText('$205.00');
  await buyer.goto('/user/wallet');
  await expectBalance(buyer, '$205.00');
  await expectSeen(buyer, 'For the patience');
}

/** A role for orders, and a user with it who can open the orders and not the users. */
export async function setRole({ admin, mark, openBrowser }: Story): Promise<void> {
  const role = `Desk ${mark}`;
  await admin.goto('/dashboard/features/access-control');
  await admin.getByLabel('New role').fill(role);
  await button(admin, 'Create role').click();
  await expect(admin.getByRole('heading', { name: `${role} permissions` })).toBeVisible();
  for (const permission of ['AdminDashboard', 'ManageOrders']) await tickPermission(admin, permission);
  await expectNoViolation(admin);

  await admin.goto('/dashboard/features/users?user=new');
  const add = admin.getByRole('dialog', { name: 'Add a user' });
  await add.getByLabel('Name').fill(`Eve ${mark}`);
  await add.getByLabel('Email').fill(`eve-${mark}@example.com`);
  await add.getByLabel(/^Password/).fill(password);
  await add.getByLabel('Role').selectOption(role);
  await button(add, 'Add user').click();
  await expect(add).toBeHidden();

  const eve = await openBrowser();
  await signInByForm(eve, 'admin', `eve-${mark}@example.com`, password);
  await eve.goto('/dashboard/features/orders');
  await expect(eve.getByRole('heading', { level: 1, name: 'Orders', exact: true })).toBeVisible();
  await expectNoViolation(eve);
  await eve.goto('/dashboard/features/users');
  // The sign-in page recognizes the session, and redirects to an allowed page.
  await eve.waitForURL((url) => url.pathname === '/dashboard');
}

async function tickPermission(page: Page, name: string): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().postData()?.includes(name) === true);
  await checkbox(page, new RegExp(`^${name}`)).check();
  expect((await answer).ok()).toBe(true);
}

/** Every customer's bell shows it until the announcement is deleted. */
export async function announce({ admin, buyer, mark }: Story): Promise<void> {
  await admin.goto('/dashboard/features/notifications');
  await button(admin, 'Add notification').click();
  const news = admin.getByRole('dialog', { name: 'Add notification' });
  await news.getByLabel('Title').fill(`News ${mark}`);
  await news.getByLabel('Message').fill('New prices from Monday.');
  await news.getByLabel('Audience').selectOption('Customers');
  await button(news, 'Add notification').click();
  await expect(news).toBeHidden();
  await buyer.goto('/user');
  await buyer.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click();
  await expectSeen(buyer, `News ${mark}`);
  await expectNoViolation(buyer);

  await choose(actionsOf(admin, `News ${mark}`), 'Delete');
  const question = admin.getByRole('alertdialog');
  await button(question, 'Delete notification').click();
  await expect(question).toBeHidden();
  await buyer.reload();
  await buyer.getByRole('button', { name: /^Notifications/ }).click();
  await expect(buyer.getByRole('heading', { name: 'Notifications' })).toBeVisible();
  await expect(buyer.getByText(`News ${mark}`)).toHaveCount(0);
}

/** The audit log contains the actions of each of them. */
export async function readAuditLog({ admin, mark, buyerEmail }: Story): Promise<void> {
  for (const [query, told] of [
    [buyerEmail, /Order #/],
    [`eve-${mark}`, `was added as Desk ${mark}`],
    [`Desk ${mark}`, `The role “Desk ${mark}” was created`],
    [`News ${mark}`, `“News ${mark}” announced to customers`],
  ] as const) {
    await admin.goto(`/dashboard/features/audit-logs?q=${encodeURIComponent(query)}`);
    await expectSeen(admin, told);
  }
  await expectNoViolation(admin);
}
