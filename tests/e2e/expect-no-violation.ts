import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { isFullRun, isItsTurn } from '@/scripts/testing/tier';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/**
 * Axe finds no violation on the page, and nothing is wider than the screen. The contrast of texts takes six times as
 * long as all other rules, and follows from the few colours of the theme: a run measures it on a third of the pages,
 * which its seed selects, and the full run on all pages, in both themes.
 */
export async function expectNoViolation(page: Page): Promise<void> {
  // Runs axe in the page: @axe-core/playwright opens another page for each result, which takes several times as long.
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(axe.source);
  // Without ids, which differ between runs.
  const path = new URL(page.url()).pathname.replace(/\/[^/]*\d[^/]*/g, '');
  const scope = { inBothThemes: isFullRun, withContrast: isItsTurn(`${test.info().title} ${path}`) };
  const find = () =>
    page.evaluate(findViolations, scope).catch((thrown: unknown) => {
      // Chromium sometimes collects the pending promise of a run, which then has no result. A second run has one.
      if (!String(thrown).includes('garbage collected')) throw thrown;
      return page.evaluate(findViolations, scope);
    });
  // A message that fades out during a run is gone in the next one.
  if ((await find()).length > 0) expect(await find()).toEqual([]);
  await expectNothingTooWide(page);
}

/** In the page: the violations as `theme: rule: elements`. */
async function findViolations({
  inBothThemes,
  withContrast,
}: Record<'inBothThemes' | 'withContrast', boolean>): Promise<string[]> {
  const root = document.documentElement;
  const shown = root.dataset.theme === 'dark' ? 'dark' : 'light';
  const other = shown === 'dark' ? 'light' : 'dark';
  const colorRules = { runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] } };

  const violationsIn = async (theme: 'light' | 'dark', options: object) => {
    root.dataset.theme = theme;
    // Colours are measured after their transitions. A spinner and invisible elements never finish.
    const transitions = document.getAnimations().filter(({ effect }) => {
      const isVisible = effect instanceof KeyframeEffect && effect.target?.checkVisibility() === true;
      return isVisible && effect.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
    });
    // An animation whose element was removed never finishes, and the browser then collects a promise that waits for it.
    const timeout = new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.race([timeout, Promise.all(transitions.map(({ finished }) => finished.catch(() => undefined)))]);
    // A message behind the newest one, or one that leaves, fades out and is not there to be read.
    const exclude = [
      'nextjs-portal',
      '[data-sonner-toast][data-front=false]',
      '[data-sonner-toast][data-removed=true]',
    ];
    const results = await window.axe?.run({ exclude }, { resultTypes: ['violations'], ...options });
    if (!results) return [`${theme}: axe is not loaded`];
    return results.violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  };
  const found = await violationsIn(shown, withContrast ? {} : { rules: { 'color-contrast': { enabled: false } } });
  if (!inBothThemes) return found;
  found.push(...(await violationsIn(other, colorRules)));
  root.dataset.theme = shown;
  return found;
}

/** The page does not scroll horizontally. */
export async function expectNothingTooWide(page: Page): Promise<void> {
  // Not window.innerWidth: a phone zooms out until everything fits.
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}
