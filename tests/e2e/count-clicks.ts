import type { Page } from '@playwright/test';

/** Counts the clicks in a page, also over navigations. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  await page.addInitScript(() => {
    document.addEventListener('click', (event) => event.isTrusted && Reflect.get(window, 'countClick')(), true);
  });
  return () => clicks;
}
