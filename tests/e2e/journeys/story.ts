import type { Browser, BrowserContext, Page } from '@playwright/test';
import { newId } from '@/lib/ids';
import { chooseTheme } from '@/tests/e2e/choose-theme';
import { makeAccount } from '@/tests/factories/make-account';

/** Three users, each in their own browser, and the names of their records, which contain a unique mark. */
export type Story = {
  mark: string;
  seller: Page;
  buyer: Page;
  admin: Page;
  sellerEmail: string;
  buyerEmail: string;
  adminEmail: string;
  /** Names of the seller's three sites: $40 for the seller and Norwegian, $12, and a rejected one. */
  garden: string;
  harbour: string;
  attic: string;
  /** Another browser with the same size and theme. */
  openBrowser: () => Promise<Page>;
};

/** The password of all registrations here. */
export const password = 'a new and long password';

/** Opens a browser for each; the phone uses the dark theme. The admin signs in before the journey. */
export async function beginStory(browser: Browser, isMobile: boolean): Promise<Story> {
  const mark = newId().toLowerCase();
  // Size and IP address belong to the test; Playwright gives them to every context.
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
