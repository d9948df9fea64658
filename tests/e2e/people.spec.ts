import { expect, type Page } from '@playwright/test';
import { accountCookie } from '@/lib/access/account-choice';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { linkIn, newestMailTo } from '@/tests/setup/mailbox';
import { accountButton, actionsOf, button, choose, entry, expectSeen, openMenu } from './find';
import { signInAs } from './sign-in';
import { test } from './watched-test';

test.describe.configure({ timeout: 180_000 });

/** Chooses an account in the menu and waits for its dashboard. */
async function switchTo(page: Page, name: string): Promise<void> {
  await (await openMenu(accountButton(page))).getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
  await page.waitForURL('**/user');
}

/** Opens the projects and checks which of two the account has. */
async function expectProject(page: Page, shown: string, hidden: string): Promise<void> {
  await page.goto('/user/projects');
  await expectSeen(page, shown);
  await expect(page.getByText(hidden)).toHaveCount(0);
}

test('a team is created, joined by invitation and switched to, and a page of another account asks', async ({
  page,
  browser,
}) => {
  const [owner, member] = [await makeAccount(), await makeAccount()];
  const [team, own] = [`Agency ${newId()}`, `${newId().toLowerCase()}.example.com`];
  const client = `${newId().toLowerCase()}.example.org`;
  await makeProject(member, { domain: own });

  await signInAs(page, 'user', owner.email);
  await choose(accountButton(page), 'New team…');
  const creation = page.getByRole('dialog', { name: 'New team' });
  await creation.getByLabel('Name').fill(team);
  await creation.getByRole('button', { name: 'Create team' }).click();
  await expect(page.getByRole('banner').getByText(team)).toBeVisible();
  const width = page.viewportSize()?.width ?? 1280;
  await page.setViewportSize({ width: 390, height: 844 });
  await button(page, 'Open menu').click();
  await expect(page.getByRole('navigation', { name: 'Customer area' }).getByText(team)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width, height: 844 });
  const chosen = (await page.context().cookies()).find(({ name }) => name === accountCookie)?.value ?? '';
  await makeProject({ ...owner, accountId: chosen }, { domain: client });

  await choose(accountButton(page), 'People');
  await button(page, 'Invite').click();
  const invitation = page.getByRole('dialog', { name: 'Invite a person' });
  await invitation.getByLabel('Email').fill(member.email);
  await invitation.getByRole('button', { name: 'Send invitation' }).click();
  await expect(entry(page, member.email)).toBeVisible();

  const context = await browser.newContext();
  const tab = await context.newPage();
  await signInAs(tab, 'user', member.email);
  await tab.goto(linkIn(await newestMailTo(member.email)).href);
  await tab.getByRole('button', { name: 'Accept' }).click();
  await tab.waitForURL('**/user');
  await expectProject(tab, client, own);

  // The page of the team stays open while another tab switches.
  const other = await context.newPage();
  await other.goto('/user');
  await switchTo(other, 'Personal account');
  const question = tab.getByRole('alertdialog', { name: 'You switched to Personal account in another tab' });
  await expect(question).toContainText(`This page belongs to ${team}.`);
  await expectProject(other, own, client);
  await question.getByRole('button', { name: `Switch back to ${team}` }).click();
  await expect(question).toBeHidden();
  await expectProject(tab, client, own);
  await other
    .getByRole('alertdialog', { name: `You switched to ${team} in another tab` })
    .getByRole('button', { name: `Reload as ${team}` })
    .click();
  await expectSeen(other, client);

  await page.reload();
  await choose(actionsOf(page, member.name || member.email), 'Remove');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('removed.')).toBeVisible();
  await tab.reload();
  await tab
    .getByRole('alertdialog', { name: 'The account is no longer available' })
    .getByRole('button', { name: 'Continue with my personal account' })
    .click();
  await expectProject(tab, own, client);
  await context.close();

  await page.goto('/user/people?tab=limits');
  await button(page, `Delete ${team}`).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete account' }).click();
  await page.waitForURL('**/user');
  await expectSeen(page, 'Recent activity');
  await expect(page.getByRole('banner').getByText(team)).toHaveCount(0);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});
