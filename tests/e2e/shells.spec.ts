import { expect, type Page } from '@playwright/test';
import { rotatingThird } from '@/scripts/testing/tier';
import { makeAccount } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { accountButton, choose } from './find';
import { signIn, signInAs } from './sign-in';
import { test } from './watched-test';

test.describe.configure({ timeout: 120_000 });

const themeOf = (page: Page) => page.locator('html').getAttribute('data-theme');
const expectTheme = (page: Page, theme: string) => expect(page.locator('html')).toHaveAttribute('data-theme', theme);
/** The side menu; on small screens the drawer, hidden or not. */
const menuOf = (page: Page) => page.locator('aside').filter({ has: page.locator('nav') });
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);
const toggle = (page: Page) => page.getByRole('button', { name: /^Switch to (light|dark)$/ });

test('every portal follows the system’s theme until the person chooses one there @full', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/seller/login');
  await expectTheme(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectTheme(page, 'dark');
  await expect(toggle(page)).toHaveAccessibleName('Switch to light');
  await toggle(page).click();
  await expectTheme(page, 'light');
  expect(await stored(page, 'seller-theme')).toBe('light');
  await page.reload();
  await expectTheme(page, 'light');
  await page.getByRole('link', { name: 'User sign in' }).click();
  await page.waitForURL('**/user/login');
  await expectTheme(page, 'dark');
  await page.goBack();
  await expectTheme(page, 'light');
});

const shells = [
  ['user', 'User', '/user', 'user-theme'],
  ['seller', 'Seller', '/seller', 'seller-theme'],
  ['admin', 'Admin', '/dashboard', 'theme'],
] as const;
for (const [portal, role, home, key] of rotatingThird(shells)) {
  test(`the ${portal} shell keeps the selected theme over reloads and pages @both-full`, async ({ page, isMobile }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await signInAs(page, portal, (await makeAccount({ role })).email);
    if (portal === 'seller' && isMobile) await page.getByRole('button', { name: 'Open menu' }).click();
    const before = await themeOf(page);
    const after = before === 'dark' ? 'light' : 'dark';
    await toggle(page).click();
    await expectTheme(page, after);
    expect(await stored(page, key)).toBe(after);
    await page.reload();
    await expectTheme(page, after);
    await page.goto(`${home}/security`);
    await expectTheme(page, after);
  });

  test(`logout in the ${portal} shell opens its sign-in page, even without a response @both-full`, async ({
    page,
    isMobile,
  }) => {
    await signInAs(page, portal, (await makeAccount({ role })).email);
    // The session ends on the server, but the response is lost.
    await page.route(`**/api/${portal}/auth/logout`, async (route) => {
      await route.fetch();
      await route.abort();
    });
    if (portal === 'seller') {
      if (isMobile) await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('button', { name: 'Logout' }).click();
    } else {
      await choose(accountButton(page), 'Logout');
    }
    await page.waitForURL((url) => url.pathname === `/${portal}/login`);
    await page.goto(home);
    await page.waitForURL((url) => url.pathname === `/${portal}/login`);
  });
}

test("logout clears the browser's storage of the user, and keeps the theme and the known device", async ({
  page,
  context,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await signInAs(page, 'user', (await makeAccount()).email);
  await toggle(page).click();
  await page.evaluate(() => {
    localStorage.setItem('list', 'of the person');
    sessionStorage.setItem('draft', 'of the person');
  });
  await choose(accountButton(page), 'Logout');
  await page.waitForURL((url) => url.pathname === '/user/login');
  expect(await page.evaluate(() => localStorage.getItem('list') ?? sessionStorage.getItem('draft'))).toBeNull();
  expect(await stored(page, 'user-theme')).toBe('dark');
  await expectTheme(page, 'dark');
  expect((await context.cookies()).map(({ name }) => name).join()).toContain('linkmarket.device');
});

test('the customer shell greets the user, and its menu is 250 pixels wide and hidden on the marketplace @full', async ({
  page,
}) => {
  await signInAs(page, 'user', (await makeAccount()).email);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  const menu = menuOf(page);
  expect((await menu.boundingBox())?.width).toBe(250);
  const logo = () => page.locator('.brand-mark').first().boundingBox();
  const place = await logo();
  for (const name of ['Marketplace', 'Projects', 'Orders', 'Wallet']) {
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible();
  }
  await menu.getByRole('link', { name: 'Projects' }).click();
  await page.waitForURL('**/user/projects');
  await expect(menu.getByRole('link', { name: 'Projects' })).toHaveAttribute('aria-current', 'page');
  await menu.getByRole('link', { name: 'Marketplace' }).click();
  await page.waitForURL('**/user/marketplace*');
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(56);
  // A rail of icons keeps the links and the logo in their place.
  const rail = page.getByRole('navigation', { name: 'Customer area' });
  await expect(rail.getByRole('listitem')).toHaveText(['Marketplace', 'Projects', 'Orders', 'Wallet']);
  expect((await rail.boundingBox())?.width).toBe(55);
  expect(await logo()).toEqual(place);
  await rail.getByRole('link', { name: 'Wallet' }).click();
  await page.waitForURL('**/user/wallet');
  await expect(page.getByRole('banner').getByText('Wallet', { exact: true })).toBeVisible();
});

test('on a phone, the top bar of the customer area links to the dashboard @full', async ({ page }) => {
  await signInAs(page, 'user', (await makeAccount()).email, '/user/marketplace');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('link', { name: 'Welcome Back' }).click();
  await page.waitForURL('**/user');
});

test('below 768 pixels the menu is closed by default, and a wider window always shows it', async ({ page }) => {
  await signInAs(page, 'user', (await makeAccount()).email);
  const link = menuOf(page).getByRole('link', { name: 'Orders' });
  const opener = page.getByRole('button', { name: 'Open menu' });
  await page.setViewportSize({ width: 767, height: 800 });
  await expect(link).toBeHidden();
  await opener.click();
  await expect(link).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await page.setViewportSize({ width: 768, height: 800 });
  await expect(link).toBeVisible();
  await expect(opener).toBeHidden();
  await page.setViewportSize({ width: 767, height: 800 });
  await expect(link).toBeHidden();
});

test('the seller shell shows the user, searches the sites, and marks one link as current @full', async ({ page }) => {
  const { email } = await makeAccount({ role: 'Seller' });
  await signInAs(page, 'seller', email);
  const menu = menuOf(page);
  await expect(menu.getByText('Signed in as')).toBeVisible();
  await expect(menu.getByText(email)).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
  await menu.getByRole('link', { name: 'Security' }).click();
  await page.waitForURL('**/seller/security');
  await expect(menu.locator('[aria-current=page]')).toHaveText(['Security']);
  await page.getByPlaceholder('Search your sites…').fill('garden');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/seller/my-sites' && url.searchParams.get('q') === 'garden');
});

test.describe('the admin sidebar', () => {
  test('is 260 pixels wide, and a group opens and closes in 220 milliseconds @full', async ({ page }) => {
    await signInAs(page, 'admin', (await makeAccount({ role: 'Admin' })).email);
    const menu = menuOf(page);
    expect((await menu.boundingBox())?.width).toBe(260);
    const group = menu.getByRole('button', { name: 'Content & Catalog' });
    const links = page.locator(`[id="${await group.getAttribute('aria-controls')}"]`);
    await group.click();
    const { property, duration } = await links.evaluate((element) => {
      const style = getComputedStyle(element);
      return { property: style.transitionProperty, duration: style.transitionDuration };
    });
    expect({ property, duration }).toEqual({ property: 'grid-template-rows', duration: '0.22s' });
    await expect.poll(async () => (await links.boundingBox())?.height).toBe(0);
    await expect(links.getByRole('link', { name: 'Guest Posts', includeHidden: true })).not.toBeFocused();
    await group.click();
    await expect(links.getByRole('link', { name: 'Guest Posts' })).toBeVisible();
  });

  test('shows staff the links of their permissions and no empty group', async ({ page }) => {
    await signInAs(page, 'admin', (await makeStaff('ManageOrders')).email);
    const menu = menuOf(page);
    // The SERP tool, approvals and the API reference are for all staff.
    const expanded = ['Core', 'Users & Access', 'Content & Catalog', 'System & Integrations'];
    await expect(menu.getByRole('button', { expanded: true })).toHaveText(expanded);
    await expect(menu.getByRole('navigation').getByRole('link')).toHaveText([
      'Home',
      'Orders',
      'Disputes',
      'Links',
      'Sellers',
      'SERP preview tool',
      'E-invoices',
      'Approvals',
      'API reference',
    ]);
  });

  test('is not sent to other users', async ({ page }) => {
    await signIn(page, 'user', (await makeAccount()).email);
    const answer = await page.request.get('/dashboard', { maxRedirects: 0 });
    expect(answer.status()).toBe(307);
    expect(await answer.text()).not.toContain('Users &amp; Access');
  });
});
