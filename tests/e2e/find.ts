import { expect, type Locator, type Page } from '@playwright/test';

/** A record of a list: its row in a table, or its item. */
export const entry = (page: Page, text: string | RegExp): Locator =>
  page
    .getByRole('row')
    .or(page.getByRole('main').getByRole('listitem'))
    .filter({ hasText: text, visible: true })
    .first();

// Some controls are shown at one width only.
const shown = (place: Page | Locator, role: 'button' | 'link' | 'checkbox', name: string | RegExp): Locator =>
  place.getByRole(role, { name, exact: true }).filter({ visible: true }).first();
export const button = (place: Page | Locator, name: string | RegExp) => shown(place, 'button', name);
export const link = (place: Page | Locator, name: string | RegExp) => shown(place, 'link', name);
export const checkbox = (place: Page | Locator, name: string | RegExp) => shown(place, 'checkbox', name);

/** Opens the menu of its button. A click before hydration is lost, so it is repeated until the menu opens. */
export async function openMenu(opener: Locator): Promise<Locator> {
  const menu = opener.page().getByRole('menu');
  await expect(async () => {
    if ((await opener.getAttribute('aria-expanded')) !== 'true') await opener.click();
    await expect(menu).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  return menu;
}

/** Selects an item of the button's menu. */
export async function choose(opener: Locator, item: string): Promise<void> {
  await (await openMenu(opener)).getByRole('menuitem', { name: item, exact: true }).click();
}

/** The button of a record's row menu. */
export const actionsOf = (place: Page | Locator, record: string) => button(place, `Actions for ${record}`);

/** The button of the account menu, in any portal. */
export const accountButton = (page: Page) => page.getByRole('button', { name: /^(My )?Account$/ });

export const expectSeen = (page: Page, text: string | RegExp): Promise<void> =>
  expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();

export const expectBalance = (page: Page, money: string): Promise<void> =>
  expect(page.getByLabel('Balance', { exact: true })).toContainText(money);

/** A file as an upload field receives it. */
export const file = (name: string, text: string, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});
