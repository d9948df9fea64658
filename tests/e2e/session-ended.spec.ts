import { expect } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import { listProjects } from '@/lib/projects/projects';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { expectNoViolation } from './expect-no-violation';
import { signInAs } from './sign-in';
import { expecting, test } from './watched-test';

const endSessions = (userId: string) =>
  db().update(sessions).set({ endedAt: new Date() }).where(eq(sessions.userId, userId));

test(
  'a form is saved after the user signs in again in a dialog @both-full',
  expecting('401 POST /api/user/projects', '401 POST /api/user/auth/login'),
  async ({ page }) => {
    const buyer = await makeAccount();
    await signInAs(page, 'user', buyer.email, '/user/projects?new=1');
    const project = page.getByRole('dialog', { name: 'Create New Project' });
    await project.getByLabel('Domain').fill('bees.example.com');
    await project.getByLabel('Target URL').fill('bees.example.com/honey');
    await project.getByLabel('Description').fill('Honey');
    await project.getByLabel('Custom niche').fill('Beekeeping');
    await project.getByLabel('Post type').selectOption({ index: 1 });
    await project.getByLabel('Country').selectOption('USA');
    await project.getByLabel('Keywords').fill('honey, bees');
    await endSessions(buyer.userId);

    const save = project.getByRole('button', { name: 'Create project' });
    await save.click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await expect(again.getByText(buyer.email)).toBeVisible();
    await expect(again.getByLabel('Your password')).toBeFocused();
    await expectNoViolation(page);
    await page.keyboard.press('Escape');
    await expect(project.getByRole('alert')).toHaveText('Your session has ended. Sign in again to continue.');
    await expect(project.getByLabel('Domain')).toHaveValue('bees.example.com');

    await save.click();
    await again.getByLabel('Your password').fill('wrong');
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(again.getByRole('alert')).toHaveText('Invalid credentials.');
    await again.getByLabel('Your password').fill(testPassword);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(again).toBeHidden();
    await expect(project).toBeHidden();
    await expect(page.getByRole('main').getByText('bees.example.com').filter({ visible: true }).first()).toBeVisible();
    expect((await listProjects(buyer, { limit: 10, offset: 0 })).total).toBe(1);
  },
);

test(
  'the sign-in page can be opened instead, and returns to the page @full',
  expecting('401 POST /api/user/projects'),
  async ({ page }) => {
    const buyer = await makeAccount();
    await signInAs(page, 'user', buyer.email, '/user/projects?new=1');
    const project = page.getByRole('dialog', { name: 'Create New Project' });
    for (const label of ['Domain', 'Target URL', 'Description', 'Custom niche', 'Keywords'])
      await project.getByLabel(label).fill('bees.example.com');
    await project.getByLabel('Post type').selectOption({ index: 1 });
    await project.getByLabel('Country').selectOption('USA');
    await endSessions(buyer.userId);
    await project.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('button', { name: 'Go to the sign-in page' }).click();
    await page.waitForURL(
      (url) => url.pathname === '/user/login' && url.searchParams.get('next') === '/user/projects?new=1',
    );
  },
);
