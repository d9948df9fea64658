import type { Page } from '@playwright/test';

/** Sets a stored theme in every portal before a page is opened. */
export async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.addInitScript((chosen) => {
    for (const key of ['theme', 'user-theme', 'seller-theme']) localStorage.setItem(key, chosen);
  }, theme);
}
