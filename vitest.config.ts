import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const resolve = {
  alias: [
    { find: /^@\//, replacement: root },
    // Throws outside of a React server bundle, which tests do not run in.
    { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
  ],
};
/** What a test waits for comes when a busy machine gets to it. */
const poll = { interval: 50, timeout: 20_000 };

/**
 * Four kinds of tests, e.g. `npx vitest run --project domain`; `npm test` runs them all.
 * - unit: no database.
 * - domain: verbs of lib on the real PostgreSQL; each file has a database of its own.
 * - api: HTTP against the running app of TEST_APP_URL; needs `npm test -- api`.
 * - faults: parts of an installation of their own are killed and starved; needs a build, which `npm test -- faults` makes.
 */
export default defineConfig({
  test: {
    // Tests wait for the database and the app. Without this, Vitest leaves one core unused.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}', 'tests/architecture.test.ts'],
          setupFiles: ['tests/setup/environment.ts'],
          testTimeout: 30_000,
          expect: { poll },
        },
      },
      {
        resolve,
        test: {
          name: 'domain',
          include: ['tests/domain/**/*.test.ts'],
          globalSetup: ['tests/setup/template-database.ts'],
          setupFiles: ['tests/setup/environment.ts', 'tests/setup/own-database.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll },
        },
      },
      {
        resolve,
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          globalSetup: ['tests/setup/openapi-document.ts'],
          setupFiles: ['tests/setup/running-app.ts', 'tests/setup/documented-answers.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: ['tests/setup/openapi-document.ts'],
          setupFiles: ['tests/setup/environment.ts', 'tests/setup/documented-answers.ts'],
          // Each file runs a whole installation of its own, and mostly waits for it.
          maxWorkers: 2,
          // Vitest runs projects with another number of workers after the others.
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 60_000,
          expect: { poll: { interval: 50, timeout: 40_000 } },
        },
      },
    ],
  },
});
