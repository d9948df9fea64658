import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Axe finds nothing on the page as it stands, in neither theme, and nothing on it is wider than the screen. A theme is
 * colours alone, so the second is asked only about those.
 */
export async function expectNoViolation(page: Page): Promise<void> {
  const [shown, other] = await page.evaluate(() =>
    document.documentElement.dataset.theme === 'dark' ? (['dark', 'light'] as const) : (['light', 'dark'] as const),
  );
  await expectNone(page, new AxeBuilder({ page }), shown);
  await showTheme(page, other);
  await expectNone(page, new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']), other);
  await showTheme(page, shown);
  await expectNothingTooWide(page);
}

async function expectNone(page: Page, axe: AxeBuilder, theme: string) {
  await coloursAtRest(page);
  const { violations } = await axe.exclude('nextjs-portal').analyze();
  const found = violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(found).toEqual([]);
}

/** Shows the open page in a theme, dialogs and all. */
async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((shown) => {
    document.documentElement.dataset.theme = shown;
  }, theme);
}

/** Colours are measured where they have come to rest; a spinner never does, nor what a closed part of the page hides. */
async function coloursAtRest(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => {
          const isSeen = effect instanceof KeyframeEffect && effect.target?.checkVisibility() === true;
          return isSeen && effect.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
        })
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
}

/** Nothing on the page makes it scroll sideways. */
export async function expectNothingTooWide(page: Page): Promise<void> {
  // Not window.innerWidth: a phone zooms out until everything fits, and then nothing seems too wide.
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}
