import type { Browser } from '@playwright/test';
import type { startSecondInstallation } from '../setup/second-installation';

/** Ends another installation, its pages first: one that is open would miss what it asks for next. */
export async function leaveInstallation(
  browser: Browser,
  there: Awaited<ReturnType<typeof startSecondInstallation>>,
): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await there.close();
}
