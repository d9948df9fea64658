import { expect, type Locator } from '@playwright/test';

/** Waits until the page is hydrated at a control; earlier input would be lost. */
export async function expectAlive(control: Locator): Promise<void> {
  await expect
    .poll(() => control.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))))
    .toBe(true);
}
