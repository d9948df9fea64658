import type { Locator, Page } from '@playwright/test';

/** The link of the bar in the marketplace that opens the cart. */
export const checkoutLink = (page: Page): Locator =>
  page.getByRole('region', { name: 'Cart' }).getByRole('link', { name: 'Checkout' });

/** Opens the cart from the marketplace. @returns its screen */
export async function openCart(page: Page): Promise<Locator> {
  await checkoutLink(page).click();
  await page.waitForURL('**/user/cart?*');
  return page.getByRole('main');
}
