import { expect, type Locator } from '@playwright/test';

/** Waits until the page's script listens to a control: what is done to it before would be lost. */
export async function expectAlive(control: Locator): Promise<void> {
  await expect
    .poll(() => control.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))))
    .toBe(true);
}
