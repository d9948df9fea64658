import { expect, type Locator, type Page } from '@playwright/test';

/** Presses Tab until the control has the focus, with a visible focus ring. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control.first()).toBeVisible();
  for (let presses = 0; presses < 200; presses += 1) {
    const focused = control.and(page.locator(':focus'));
    if ((await focused.count()) > 0) {
      const isMarked = await focused.first().evaluate((element) => {
        const { outlineStyle, boxShadow } = getComputedStyle(element);
        return outlineStyle !== 'none' || boxShadow !== 'none';
      });
      expect(isMarked, `${control} shows that it has the focus`).toBe(true);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${control}.`);
}

export async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

export async function type(page: Page, control: Locator, text: string): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.type(text);
}
