import type { Browser } from '@playwright/test';
import type { startSecondInstallation } from '@/tests/setup/second-installation';

/** Stops another installation after its pages, because an open page would report failed requests. */
export async function leaveInstallation(
  browser: Browser,
  there: Awaited<ReturnType<typeof startSecondInstallation>>,
): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await there.close();
}
