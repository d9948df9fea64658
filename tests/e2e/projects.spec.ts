import { expect } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { projects } from '@/db/schema/projects';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectNoViolation } from './expect-no-violation';
import { choose } from './find';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

/** A buyer with a project of three orders: one live, one refunded, one pending. */
async function buyerWithProject() {
  const [buyer, seller, admin] = [await makeAccount(), await makeUser('Seller'), await makeUser('Admin')];
  await fundWallet(buyer.userId, 100_000);
  const projectId = await makeProject(buyer, { domain: 'garden.example.com' });
  const siteIds = [
    await makeSite(seller.userId, 10_000),
    await makeSite(seller.userId, 7_000),
    await makeSite(seller.userId, 3_000),
  ];
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds });
  const [live = 0, refunded = 0, waiting = 0] = orders.map(({ id }) => id);
  await updateOrder(admin, live, { linkUrl: 'https://news.example.com/spades' });
  await updateOrder(admin, refunded, { status: 'Refunded' });
  return { buyer, projectId, live, refunded, waiting };
}

test("a project's page shows its cost, its orders and its live links @both-full", async ({ page }) => {
  test.setTimeout(180_000);
  const { buyer, live } = await buyerWithProject();
  await signInAs(page, 'user', buyer.email, '/user/projects');
  await page.getByRole('link', { name: 'garden.example.com', exact: true }).filter({ visible: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'garden.example.com' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main).toContainText('$130.00');
  await expect(main).toContainText('after $70.00 in refunds');
  await expectNoViolation(page);
  await page.getByRole('link', { name: /^Links/ }).click();
  await expect(page).toHaveURL(/tab=links/);
  const link = page.getByRole('link', { name: /news\.example\.com\/spades/ }).filter({ visible: true });
  await expect(link).toHaveAttribute('href', 'https://news.example.com/spades');
  await expectNoViolation(page);
  await page
    .getByRole('link', { name: `Details of order #${live}` })
    .filter({ visible: true })
    .click();
  await expect(page.getByRole('dialog')).toContainText(`Order #${live}`);
});

test("New Order and Build Custom on a project's page preselect the project @full", async ({ page }) => {
  const { buyer, projectId } = await buyerWithProject();
  await signInAs(page, 'user', buyer.email, `/user/projects/${projectId}`);
  await page.getByRole('link', { name: 'New Order' }).click();
  await expect(page.getByRole('dialog', { name: 'New Order' }).getByLabel('Project')).toHaveValue(projectId);
  await page.goto(`/user/projects/${projectId}`);
  await page.getByRole('link', { name: 'Build Custom' }).click();
  await expect(page.getByRole('dialog', { name: 'Build Custom' })).toBeVisible();
});

const noProject = expecting('404 GET /user/projects/*');
test('a project is deleted on its page, which then opens the list @full', noProject, async ({ page }) => {
  const { buyer, projectId } = await buyerWithProject();
  await signInAs(page, 'user', buyer.email, `/user/projects/${projectId}`);
  await choose(page.getByRole('button', { name: 'Actions for garden.example.com' }), 'Delete');
  const dialog = page.getByRole('alertdialog', { name: 'Delete this project?' });
  await expect(dialog).toContainText('garden.example.com');
  await dialog.getByRole('button', { name: 'Delete project' }).click();
  await page.waitForURL('**/user/projects');
  await expect(page.getByText('No projects yet')).toBeVisible();
  await page.goto(`/user/projects/${projectId}`);
  await expect(page.getByText(/does not exist/)).toBeVisible();
});

test(
  "another user's project is not found, and an admin is redirected to the dashboard",
  noProject,
  async ({ page }) => {
    const { projectId } = await buyerWithProject();
    await signInAs(page, 'user', (await makeAccount()).email, `/user/projects/${projectId}`);
    await expect(page.getByText(/does not exist/)).toBeVisible();
    await expect(page.getByText('garden.example.com')).toHaveCount(0);
    await page.context().clearCookies();
    await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email, `/user/projects/${projectId}`);
    await page.waitForURL('**/dashboard');
  },
);

test('a project is edited in the list, where many keywords are folded', async ({ page }) => {
  const buyer = await makeAccount();
  const keywords = Array.from({ length: 40 }, (_, index) => `keyword number ${index + 1}`);
  await makeProject(buyer, { domain: 'bees.example.com', niche: 'Beekeeping', keywords: keywords.join(', ') });
  await signInAs(page, 'user', buyer.email, '/user/projects');
  const row = page.getByRole('row').filter({ hasText: 'bees.example.com' });
  expect((await row.boundingBox())?.height).toBeLessThan(220);
  await row.getByText('35 more').click();
  await expect(row.getByText('keyword number 40')).toBeVisible();

  await choose(page.getByRole('button', { name: 'Actions for bees.example.com' }), 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Edit bees.example.com' });
  await expect(dialog.getByLabel('Custom niche')).toHaveValue('Beekeeping');
  await expect(dialog.getByLabel('Keywords')).toHaveValue(keywords.join(', '));
  await dialog.getByLabel('Domain').fill('');
  await dialog.getByRole('button', { name: 'Save project' }).click();
  await expect(page.getByText('⚠️ Please fill in all required fields before saving.')).toBeVisible();
  await dialog.getByLabel('Domain').fill('honey.example.com');
  await dialog.getByLabel('Keywords').fill('honey, wax');
  // Selecting a listed niche removes the custom one, which would override it.
  await dialog.getByLabel('Niche').first().selectOption({ index: 1 });
  await expect(dialog.getByLabel('Custom niche')).toHaveValue('');
  await dialog.getByRole('button', { name: 'Save project' }).click();
  await expect(dialog).toBeHidden();
  const changed = page.getByRole('row').filter({ hasText: 'honey.example.com' });
  await expect(changed).toContainText('wax');
  await expectNoViolation(page);
});

test(
  'an edit in another tab is not overwritten without a choice',
  expecting('409 PUT /api/user/projects/*'),
  async ({ page }) => {
    const buyer = await makeAccount();
    const id = await makeProject(buyer, { domain: 'bees.example.com' });
    await signInAs(page, 'user', buyer.email, '/user/projects');
    await choose(page.getByRole('button', { name: 'Actions for bees.example.com' }), 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit bees.example.com' });
    await dialog.getByLabel('Keywords').fill('honey, wax');
    await db().update(projects).set({ country: 'Canada', version: 2 }).where(eq(projects.id, id));
    await dialog.getByRole('button', { name: 'Save project' }).click();
    await expect(dialog.getByText('This project was changed elsewhere')).toBeVisible();
    await expect(dialog.getByText('USA → Canada')).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save project' }).click();
    await expect(dialog).toBeHidden();
    const [saved] = await db().select().from(projects).where(eq(projects.id, id));
    expect(saved).toMatchObject({ keywords: 'honey, wax', country: 'Canada', version: 3 });
  },
);

test('a custom niche replaces the selected one, and missing fields are named @full', async ({ page }) => {
  await signInAs(page, 'user', (await makeAccount()).email, '/user/projects?new=1');
  const dialog = page.getByRole('dialog', { name: 'Create New Project' });
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByText('⚠️ Please fill in all required fields before saving.')).toBeVisible();
  await expect(dialog.getByLabel('Domain')).toBeFocused();
  await dialog.getByLabel('Domain').fill('bees.example.com');
  await dialog.getByLabel('Target URL').fill('bees.example.com/honey');
  await dialog.getByLabel('Description').fill('Honey');
  await dialog.getByLabel('Niche').first().selectOption({ index: 1 });
  await dialog.getByLabel('Custom niche').fill('Beekeeping');
  await dialog.getByLabel('Post type').selectOption({ index: 1 });
  await dialog.getByLabel('Country').selectOption('USA');
  await dialog.getByLabel('Keywords').fill('honey, bees');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row').filter({ hasText: 'bees.example.com' })).toContainText('Beekeeping');
  expect(new URL(page.url()).search).toBe('');
});

test('the dashboard guides a new buyer to a project, funds and an order, and shows recent activity @both-full', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const buyer = await makeAccount();
  await signInAs(page, 'user', buyer.email);
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps).toContainText('0 of 3 done');
  await expect(steps.getByRole('link')).toHaveText(['Create a project']);
  await expectNoViolation(page);
  const projectId = await makeProject(buyer);
  await page.reload();
  await expect(steps).toContainText('1 of 3 done');
  await expect(steps.getByRole('link')).toHaveText(['Add funds']);
  await fundWallet(buyer.userId, 20_000);
  await page.reload();
  await expect(steps).toContainText('2 of 3 done');
  const siteIds = [await makeSite((await makeUser('Seller')).userId, 5_000)];
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds });
  await page.reload();
  await expect(steps).toHaveCount(0);
  for (const [card, figure] of [
    ['Projects', '1'],
    ['Orders', '1'],
    ['Wallet', '[$]150.00'],
    ['Spent this month', '[$]50.00'],
    ['Live this month', '0'],
  ] as const) {
    await expect(page.getByRole('main').getByRole('link', { name: new RegExp(`^${card} ?${figure}`) })).toBeVisible();
  }
  await expect(page.getByRole('main')).toContainText('1 awaiting delivery');
  await expect(page.getByText('3 to 5 keywords per project')).toBeVisible();
  const tools = page.getByRole('region', { name: 'Tools' }).getByRole('link');
  await expect(tools).toHaveText(['Client reports', 'Webhooks', 'API guide']);
  await page.getByRole('slider', { name: 'Amounts of a period' }).press('End');
  await expect(page.getByRole('slider', { name: 'Amounts of a period' })).toHaveAttribute(
    'aria-valuetext',
    /: Spent \$50\.00$/,
  );
  await page.locator('summary', { hasText: 'Show as a table' }).first().press('Enter');
  await expect(page.getByRole('table', { name: 'Spending by month' }).getByRole('row')).toHaveCount(13);
  await expectNoViolation(page);
  await page.getByRole('link', { name: /\.example\.com$/ }).click();
  await expect(page.getByRole('dialog')).toContainText(`Order #${orders[0]?.id}`);
});
