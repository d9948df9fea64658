import { expect, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeRole, makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { linkIn, newestMailTo } from '@/tests/setup/mailbox';
import { expectAlive } from './expect-alive';
import { expectNoViolation } from './expect-no-violation';
import { accountButton, openMenu } from './find';
import { signIn, signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const features = '/dashboard/features';
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const personOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0];

async function asAdmin(page: Page) {
  const admin = await makeAccount({ role: 'Admin', name: `Root ${newId().slice(-6)}` });
  await signIn(page, 'admin', admin.email);
  return admin;
}

test.describe.configure({ mode: 'parallel' });

test.describe('Users', () => {
  test('a relative time keeps its text while the page loads, and changes every minute afterwards @full', async ({
    page,
  }) => {
    await asAdmin(page);
    const person = await makeAccount({ name: `Ann ${newId()}` });
    const now = Date.now();
    const joined = new Date(now - 9 * 60_000);
    await db().update(users).set({ createdAt: joined }).where(eq(users.id, person.userId));
    // The browser's clock is a minute ahead, as if the page had loaded for a minute.
    await page.clock.install({ time: now + 60_000 });
    await page.goto(`${features}/users?q=${person.email}`);
    const time = rowOf(page, person.name).locator(`time[datetime="${joined.toISOString()}"]`);
    // The title in the user's time zone has seconds; that of the server has none. It shows that the page is hydrated.
    await expect(async () => {
      await page.mouse.move(0, 0);
      await time.hover();
      await expect(time).toHaveAttribute('title', /:\d\d:\d\d/, { timeout: 500 });
    }).toPass();
    await expect(time).toHaveText('9 minutes ago');
    await page.clock.fastForward(61_000);
    await expect(time).toHaveText('11 minutes ago');
  });

  test('a role is changed in place by both requests, and restored when either fails', async ({ page }) => {
    await asAdmin(page);
    const person = await makeAccount({ name: `Ann ${newId()}` });
    await page.goto(`${features}/users?q=${person.email}`);
    const role = rowOf(page, person.name).getByLabel(`Role of ${person.name}`);
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() !== 'GET' && /^\/api\/(users|acl)\//.test(pathname)) {
        calls.push(`${request.method()} ${pathname.replaceAll(person.userId, 'ID')} ${request.postData()}`);
      }
    });
    await expectAlive(role);
    await role.selectOption('Seller');
    await expect(page.getByText(`${person.name} is now Seller.`)).toBeVisible();
    await expect(role).toHaveValue('Seller');
    expect(calls).toEqual([
      'PATCH /api/users/ID {"role":"Seller"}',
      'POST /api/acl/users/ID/roles {"roleName":"Seller"}',
    ]);
    expect((await personOf(person.userId))?.role).toBe('Seller');

    for (const address of [`**/api/acl/users/${person.userId}/roles`, `**/api/users/${person.userId}`]) {
      let isFirst = true;
      await page.route(address, (route) => {
        // The failing request; the one that reverts the other passes.
        const fails = isFirst;
        isFirst = false;
        return fails ? route.fulfill({ status: 500, json: { error: 'Out of order.' } }) : route.continue();
      });
      await role.selectOption('Admin');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Change role' }).click();
      await expect(page.getByText('Failed to assign role.').last()).toBeVisible();
      await expect(role).toHaveValue('Seller');
      await expect(role).toBeEnabled();
      expect((await personOf(person.userId))?.role).toBe('Seller');
      await page.unroute(address);
    }
  });

  test('a role of staff asks first, and another change can be undone @full', async ({ page }) => {
    await asAdmin(page);
    const person = await makeAccount({ name: `Ann ${newId()}` });
    const clerk = await makeRole(['ManageOrders']);
    const roleOf = async () => (await personOf(person.userId))?.role;
    await page.goto(`${features}/users?q=${person.email}`);
    const role = rowOf(page, person.name).getByLabel(`Role of ${person.name}`);
    await expectAlive(role);
    await role.selectOption(clerk);
    const question = page.getByRole('alertdialog', { name: `Change the role of ${person.name} to ${clerk}?` });
    await expect(question).toContainText('Their sessions end');
    // Behind the question, which hides it from assistive technology.
    await expect(page.locator('tr').getByLabel(`Role of ${person.name}`)).toHaveValue('User');
    await expectNoViolation(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    expect(await roleOf()).toBe('User');
    await role.selectOption(clerk);
    await question.getByRole('button', { name: 'Change role' }).click();
    await expect(page.getByText(`${person.name} is now ${clerk}.`)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);

    await role.selectOption('User');
    const leaving = page.getByRole('alertdialog', { name: `Change the role of ${person.name} to User?` });
    await expect(leaving).toContainText('They get the permissions of User in place of those of');
    await leaving.getByRole('button', { name: 'Change role' }).click();
    await expect(page.getByText(`${person.name} is now User.`)).toBeVisible();

    await role.selectOption('Seller');
    await expect(page.getByText(`${person.name} is now Seller.`)).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(`${person.name} is now User.`).first()).toBeVisible();
    await expect(role).toHaveValue('User');
    await expect.poll(roleOf).toBe('User');
  });

  test('a search during a closing dialog keeps it closed, and two concurrent filters both apply @full', async ({
    page,
  }) => {
    await asAdmin(page);
    const person = await makeAccount({ name: `Ann ${newId()}` });
    await page.goto(`${features}/users?user=${person.userId}`);
    const dialog = page.getByRole('dialog', { name: `Edit ${person.name}` });
    await expect(dialog).toBeVisible();
    const search = page.getByRole('searchbox', { name: 'Search users' });
    // The server responds late with the list without the record.
    await page.route(
      (url) => url.pathname === `${features}/users` && url.searchParams.has('_rsc'),
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        await route.continue();
      },
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await search.fill(person.email);
    await search.press('Enter');
    await expect(page).toHaveURL((url) => url.searchParams.get('q') === person.email);
    expect(new URL(page.url()).searchParams.has('user')).toBe(false);
    await expect(dialog).toBeHidden();

    await page.getByLabel('Role', { exact: true }).selectOption('User');
    await page.getByLabel('Status', { exact: true }).selectOption('Active');
    await expect(page).toHaveURL(/role=User&status=Active/);
    await expect(rowOf(page, person.name)).toBeVisible();
  });

  test('a user is created, found, edited, signed out, and deleted', async ({ page }) => {
    await asAdmin(page);
    const mark = newId();
    await page.goto(`${features}/users`);
    await page.getByRole('link', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a user' });
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await expect(dialog.getByText('Enter a name.')).toBeVisible();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await dialog.getByLabel('Name').fill(`Bea ${mark}`);
    await dialog.getByLabel('Email').fill(`bea-${mark}@example.com`);
    await dialog.getByLabel(/^Password/).fill('a long enough password');
    await dialog.getByLabel('Role').selectOption('Seller');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/users$/);
    await page.getByRole('searchbox', { name: 'Search users' }).fill(mark);
    await expect(page).toHaveURL(/q=/);
    await expect(rowOf(page, `Bea ${mark}`)).toContainText('Active');
    const [added] = await db()
      .select()
      .from(users)
      .where(eq(users.email, `bea-${mark}@example.com`));
    const id = added?.id ?? '';
    await db()
      .insert(sessions)
      .values({ id: newId(), userId: id, expiresAt: new Date(Date.now() + 60_000) });

    await page.getByRole('link', { name: `Edit Bea ${mark}` }).click();
    const edit = page.getByRole('dialog', { name: `Edit Bea ${mark}` });
    await expect(edit.getByLabel(/^Password/)).toHaveCount(0);
    await edit.getByLabel('Status').selectOption('Expired');
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await expect(edit).toBeHidden();
    await expect(page).not.toHaveURL(/user=/);
    await expect(rowOf(page, `Bea ${mark}`)).toContainText('Expired');
    const running = await db().select().from(sessions).where(eq(sessions.userId, id));
    expect(running.every(({ endedAt }) => endedAt !== null)).toBe(true);

    await page.route(`**/api/users/${id}`, (route) => route.fulfill({ status: 503, json: { error: 'Not now.' } }));
    await page.getByRole('link', { name: `Edit Bea ${mark}` }).click();
    await edit.getByLabel('Name').fill('Other');
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await expect(edit.getByText('Not now.', { exact: true })).toBeVisible();
    await edit.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Delete user' }).click();
    await expect(question.getByText('Not now.', { exact: true })).toBeVisible();
    await page.unroute(`**/api/users/${id}`);
    await question.getByRole('button', { name: 'Delete user' }).click();
    await expect(page.getByText('No matching users')).toBeVisible();
    expect((await personOf(id))?.deletedAt).not.toBeNull();
  });

  test("a user's page shows sessions, wallet and orders, and ends the sessions", async ({ page }) => {
    await asAdmin(page);
    const person = await makeAccount({ name: `Cleo ${newId()}` });
    await db()
      .insert(sessions)
      .values({ id: newId(), userId: person.userId, expiresAt: new Date(Date.now() + 60_000), ip: '192.0.2.7' });
    await page.goto(`${features}/users?q=${person.email}`);
    await page.getByRole('link', { name: person.name, exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
    await expect(page.getByText('192.0.2.7')).toBeVisible();
    await expect(page.getByText('$0.00')).toBeVisible();
    await expect(page.getByText('No orders yet.')).toBeVisible();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all sessions' }).click();
    await expect(page.getByText('Not signed in anywhere.')).toBeVisible();
  });

  test('staff are offered only roles within their permissions, and cannot edit an admin', async ({ page }) => {
    const staff = await makeStaff('ManageUsers');
    const above = await makeRole(['AdminDashboard', 'ManageWallets']);
    const [admin, person] = [await makeUser('Admin'), await makeUser('User', { name: `Dan ${newId()}` })];
    await signInAs(page, 'admin', staff.email, `${features}/users?q=${person.email}`);
    const options = rowOf(page, person.name).getByRole('combobox').locator('option');
    await expect(options.filter({ hasText: /^Seller$/ })).toHaveCount(1);
    expect((await options.allTextContents()).filter((name) => name === 'Admin' || name === above)).toEqual([]);
    await page.goto(`${features}/users?q=${admin.email}`);
    await expect(rowOf(page, admin.email)).toBeVisible();
    await expect(rowOf(page, admin.email).getByRole('combobox')).toHaveCount(0);
  });
});

test.describe('Access Control', () => {
  test(
    'a role is created, granted permissions, assigned and deleted',
    expecting('409 POST /api/acl/roles', '409 DELETE /api/acl/roles/*'),
    async ({ page }) => {
      await asAdmin(page);
      const [name, person] = [`Editor ${newId()}`, await makeAccount({ name: `Eve ${newId()}` })];
      await page.goto(`${features}/access-control`);
      await page.getByRole('button', { name: 'Create role' }).click();
      await expect(page.getByText('Enter a role name.')).toBeVisible();
      await page.getByLabel('New role').fill('seller');
      await page.getByRole('button', { name: 'Create role' }).click();
      await expect(page.getByText(/^The role “seller” already exists/i).last()).toBeVisible();
      await page.getByLabel('New role').fill(name);
      await page.getByRole('button', { name: 'Create role' }).click();
      await expect(page.getByRole('heading', { name: `${name} permissions` })).toBeVisible();

      const box = page.getByRole('checkbox', { name: /ManageOrders/ });
      const saved = page.waitForResponse('**/api/acl/roles/*/permissions');
      await box.check();
      expect((await saved).status()).toBe(200);
      await expect.poll(() => page.evaluate(() => localStorage.getItem('acl_roles_v1'))).toContain(name);
      await page.route('**/api/acl/roles/*/permissions', (route) =>
        route.fulfill({ status: 500, json: { error: 'No.' } }),
      );
      await page.getByRole('checkbox', { name: /ManageSites/ }).click();
      await expect(page.getByText('No.', { exact: true })).toBeVisible();
      await expect(page.getByRole('checkbox', { name: /ManageSites/ })).not.toBeChecked();
      await page.unroute('**/api/acl/roles/*/permissions');
      await page.reload();
      await expect(box).toBeChecked();

      await page.getByRole('button', { name: 'Assign role' }).click();
      await expect(page.getByText('Choose a user first.')).toBeVisible();
      await page.getByRole('combobox', { name: /^User/ }).fill(person.name);
      await expect(page.locator('datalist option')).toHaveCount(1);
      await page.getByRole('combobox', { name: /^User/ }).fill(`${person.name} (${person.email})`);
      await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption(name);
      await page.getByRole('button', { name: 'Assign role' }).click();
      await expect(page.getByText('Role assigned to user.')).toBeVisible();
      expect((await personOf(person.userId))?.role).toBe(name);

      await page.getByRole('button', { name: 'Delete role' }).click();
      const question = page.getByRole('alertdialog', { name: `Delete the role “${name}”?` });
      await question.getByRole('button', { name: 'Delete role' }).click();
      await expect(question.getByText(/^One user has/)).toBeVisible();
      await db().update(users).set({ role: 'User' }).where(eq(users.id, person.userId));
      await question.getByRole('button', { name: 'Delete role' }).click();
      await expect(page.getByText(`Role “${name}” deleted.`)).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Admin permissions' })).toBeVisible();
    },
  );

  test('shows a message and the cached roles when the roles fail to load @full', async ({ page }) => {
    await asAdmin(page);
    await page.addInitScript(() => localStorage.setItem('acl_roles_v1', JSON.stringify(['Admin', 'Kept Editor'])));
    const failing = /\/api\/(acl\/(roles-with-permissions|permissions)|users\?)/;
    await page.route(failing, (route) => route.fulfill({ status: 502, json: { error: 'Bad gateway' } }));
    await page.goto(`${features}/access-control`);
    for (const what of ['roles', 'permissions', 'users']) {
      await expect(page.getByText(`Failed ${what}: HTTP 502 Bad gateway`)).toBeVisible();
    }
    await expect(page.getByRole('link', { name: /Kept Editor/ })).toBeVisible();
    await expect(page.getByRole('link', { name: /Seller/ })).toBeVisible();
    await page.unroute(failing);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(/^Failed roles/)).toBeHidden();
    await expect(page.getByRole('checkbox', { name: /ManageOrders/ })).toBeVisible();
  });
});

test('Roles assigns features to one user, edits and removes them @full', async ({ page }) => {
  await asAdmin(page);
  const [name, person] = [`Reviewer ${newId()}`, await makeAccount({ name: `Flo ${newId()}` })];
  await page.goto(`${features}/roles`);
  await page.getByRole('link', { name: 'Add role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a role' });
  await dialog.getByLabel('Role name').fill(name);
  await dialog.getByRole('combobox', { name: /^User/ }).fill('no such user');
  await dialog.getByRole('button', { name: 'Add role' }).click();
  await expect(dialog.getByText('Please select a valid user.')).toBeVisible();
  await dialog.getByRole('combobox', { name: /^User/ }).fill(person.email);
  await expect(page.locator('datalist option')).toHaveCount(1);
  await dialog.getByRole('combobox', { name: /^User/ }).fill(`${person.name} (${person.email})`);
  await dialog.getByRole('checkbox', { name: /Guest Post Approvals/ }).check();
  await dialog.getByRole('button', { name: 'Add role' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/roles$/);
  await page.getByRole('searchbox', { name: 'Search roles' }).fill(name);
  await expect(page).toHaveURL(/q=/);
  await expect(rowOf(page, name)).toContainText('Guest Post Approvals');

  await page.getByRole('link', { name: `Edit ${name} of ${person.name}` }).click();
  const edit = page.getByRole('dialog', { name: `Edit ${name}` });
  await edit.getByRole('checkbox', { name: /Manage Blog/ }).check();
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await expect(edit).toBeHidden();
  await expect(page).not.toHaveURL(/edit=/);
  await expect(rowOf(page, name)).toContainText('Manage Blog');
  await page.getByRole('link', { name: `Edit ${name} of ${person.name}` }).click();
  await edit.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete role' }).click();
  await expect(page.getByText('No matching roles')).toBeVisible();
});

test.describe('Profile settings', () => {
  const refused = expecting('415 POST /api/profile/avatar');

  test(
    'open from the account menu and save name, picture and, by mail, the email address',
    refused,
    async ({ page, browser }) => {
      const admin = await asAdmin(page);
      await page.goto('/dashboard');
      const menu = await openMenu(accountButton(page));
      await expect(menu.getByRole('menuitem')).toHaveText([
        'Profile settings',
        'Users',
        'Features',
        'Security',
        'Logout',
      ]);
      await menu.getByRole('menuitem', { name: 'Profile settings' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Profile settings' })).toBeVisible();

      const picture = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#06c' } })
        .png()
        .toBuffer();
      await page
        .getByLabel('Picture file')
        .setInputFiles({ name: 'not.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
      await expect(page.getByText(/This file type is not supported/)).toBeVisible();
      await page.getByLabel('Picture file').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture });
      await expect(accountButton(page).locator('img')).toBeVisible();

      const email = `new-${newId()}@example.com`;
      await page.getByLabel('Name', { exact: false }).first().fill('A new name');
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('Enter your current password.')).toBeVisible();
      await page.getByLabel('Current password').fill(testPassword);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText(/^Profile saved\. Open the link/)).toBeVisible();
      await expect(page.getByText(`${email} is waiting for confirmation.`)).toBeVisible();
      expect(await personOf(admin.userId)).toMatchObject({ name: 'A new name', email: admin.email });

      const elsewhere = await browser.newPage();
      await elsewhere.goto(linkIn(await newestMailTo(email)).href);
      await elsewhere.getByRole('button', { name: 'Confirm new email' }).click();
      await expect(elsewhere.getByText(`Your email is now ${email}.`)).toBeVisible();
      await elsewhere.reload();
      await elsewhere.getByRole('button', { name: 'Confirm new email' }).click();
      await expect(elsewhere.getByText('This link is no longer valid.')).toBeVisible();
      await elsewhere.close();
      // The new email ends every other session, including this one.
      await page.reload();
      await expect(page).toHaveURL(/\/admin\/login/);
      await signInAs(page, 'admin', email, '/dashboard/profile');
      await expect(page.getByLabel('Email')).toHaveValue(email);
    },
  );
});
