import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { outOfTurn } from './scripts/testing/files-by-turn';
import { isFullRun } from './scripts/testing/tier';
import { browserLaunchOptions } from './tests/setup/browser';

/** Tests that change settings of the whole installation: its name, its feature flags and its tax. */
const wholeInstallation = /whole-installation[\w-]*\.spec\.ts$/;
const fullOnly = isFullRun ? { files: [], tags: [] } : { files: [/\.full\.spec\.ts$/], tags: [/@full/] };
const ignored = [...fullOnly.files, ...outOfTurn.map((file) => `**/${file}`)];

/**
 * Browser tests against the running app at TEST_APP_URL; `npm test -- e2e` starts it. A test runs at desktop width; one
 * tagged @phone runs at phone width, one tagged @both at both, one tagged @both-full also at phone width in the full run. Tests that change the installation run after all others;
 * `npx playwright test --no-deps tests/e2e/whole-installation.spec.ts` runs them alone.
 * Tests tagged @full and files named `*.full.spec.ts` run only with TEST_TIER=full, which `npm run test:full` sets.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  // A test waits for the app about as long as it uses the browser.
  workers: availableParallelism() + 1,
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  // Allows for a slow machine that compiles pages on first use; a passing test does not wait.
  expect: { timeout: 60_000 },
  use: {
    baseURL: process.env.TEST_APP_URL ?? 'http://localhost:3000',
    launchOptions: browserLaunchOptions(),
    actionTimeout: 60_000,
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    // `--trace on` records a trace for one test; recording all of them slows the suite.
    trace: 'off',
    video: 'off',
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: [wholeInstallation, ...ignored],
      grepInvert: [/@phone/, ...fullOnly.tags],
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      testIgnore: [wholeInstallation, ...ignored],
      grep: isFullRun ? /@phone|@both/ : /@phone|@both(?!-full)/,
      grepInvert: fullOnly.tags,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    },
    {
      name: 'whole installation',
      testMatch: wholeInstallation,
      testIgnore: ignored,
      grepInvert: fullOnly.tags,
      dependencies: ['desktop', 'phone'],
      workers: 1,
      use: { viewport: { width: 1440, height: 900 } },
    },
  ],
});
