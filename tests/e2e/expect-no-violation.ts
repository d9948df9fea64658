import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Axe finds nothing on the page as it stands, and nothing on it is wider than the screen. */
export async function expectNoViolation(page: Page): Promise<void> {
  // Colours are measured where they have come to rest; a spinner never does.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).exclude('nextjs-portal').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  await expectNothingTooWide(page);
}

/** Nothing on the page makes it scroll sideways. */
export async function expectNothingTooWide(page: Page): Promise<void> {
  // Not window.innerWidth: a phone zooms out until everything fits, and then nothing seems too wide.
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}
