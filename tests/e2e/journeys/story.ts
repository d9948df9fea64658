import type { Browser, BrowserContext, Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { makeAccount } from '../../factories/make-account';
import { chooseTheme } from '../choose-theme';

/** Three people, each in a browser of their own, and what they call their things: nobody else's contain the mark. */
export type Story = {
  mark: string;
  seller: Page;
  buyer: Page;
  admin: Page;
  sellerEmail: string;
  buyerEmail: string;
  adminEmail: string;
  /** Names of the seller's three sites: $40 for the seller and Norwegian, $12, and one that is turned down. */
  garden: string;
  harbour: string;
  attic: string;
  /** Another browser of the size and the theme of theirs. */
  openBrowser: () => Promise<Page>;
};

/** The password of all who register here. */
export const password = 'a new and long password';

/** Opens a browser for each; on a phone they chose the dark theme. The admin is known before the story begins. */
export async function beginStory(browser: Browser, isMobile: boolean): Promise<Story> {
  const mark = newId().toLowerCase();
  // Size and address are the test's, which Playwright gives every context.
  const openBrowser = async (): Promise<Page> => {
    const context: BrowserContext = await browser.newContext();
    const page = await context.newPage();
    await chooseTheme(page, isMobile ? 'dark' : 'light');
    return page;
  };
  const { email: adminEmail } = await makeAccount({ role: 'Admin', name: 'Root Admin' });
  return {
    mark,
    seller: await openBrowser(),
    buyer: await openBrowser(),
    admin: await openBrowser(),
    sellerEmail: `seller-${mark}@example.com`,
    buyerEmail: `buyer-${mark}@example.com`,
    adminEmail,
    garden: `Garden ${mark}`,
    harbour: `Harbour ${mark}`,
    attic: `Attic ${mark}`,
    openBrowser,
  };
}
