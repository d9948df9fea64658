import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { outOfTurn } from './scripts/testing/files-by-turn';
import { isFullRun } from './scripts/testing/tier';

const root = fileURLToPath(new URL('.', import.meta.url));
const exclude = [...configDefaults.exclude, ...(isFullRun ? [] : ['**/*.full.test.*']), ...outOfTurn];
const resolve = {
  alias: [
    { find: /^@\//, replacement: root },
    // The package throws outside a React server bundle, and tests run outside one.
    { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
  ],
};
/** A mock outlives its file in a shared process, and other files count in the memory of the process. */
const needsProcess = /vi\.mock\(|process\.(memory|resource)Usage\(/;
const isolatedFiles = ['unit', 'domain'].flatMap((suite) =>
  readdirSync(join(root, 'tests', suite), { recursive: true, encoding: 'utf8' })
    .map((file) => join('tests', suite, file))
    .filter((file) => /\.test\.tsx?$/.test(file) && needsProcess.test(readFileSync(join(root, file), 'utf8'))),
);
/** A project does not take it from the root configuration. */
const tier = isFullRun ? {} : { tagsFilter: ['!full'] };
/** The timeout allows for a slow machine. */
const poll = { interval: 50, timeout: 20_000 };
const ofSuite = (suite: string) => isolatedFiles.filter((file) => file.startsWith(`tests/${suite}/`));
const unit = {
  exclude,
  setupFiles: ['tests/setup/environment.ts', 'tests/setup/property-seed.ts'],
  testTimeout: 30_000,
  expect: { poll },
};
const domain = {
  exclude,
  globalSetup: ['tests/setup/template-database.ts'],
  setupFiles: ['tests/setup/environment.ts', 'tests/setup/own-database.ts', 'tests/setup/property-seed.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/**
 * Four kinds of tests, e.g. `npx vitest run --project domain`; `npm test` runs all of them.
 * - unit: without a database.
 * - domain: functions of lib on a real PostgreSQL server, with one database for each file.
 * - api: HTTP requests to the running app at TEST_APP_URL; run it with `npm test -- api`.
 * - faults: stops processes of a separate installation and withholds its resources; needs a build, which
 *   `npm test -- faults` creates.
 *
 * The files of a suite share processes. Those that need one of their own are the projects unit-isolated and domain-isolated.
 *
 * Tests tagged `full` and files named `*.full.test.ts` run only with TEST_TIER=full, which `npm run test:full` sets, and
 * those of scripts/testing/files-by-turn.ts in one run of three.
 */
export default defineConfig({
  test: {
    // Keeps transformed modules for the next run, in node_modules/.experimental-vitest-cache.
    experimental: { fsModuleCache: true },
    tags: [{ name: 'full', description: 'Only in the full run, for the night and before a release.' }],
    // Tests wait for the database and the app. Without this, Vitest leaves one core unused.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        resolve,
        test: {
          ...unit,
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}', 'tests/architecture.test.ts'],
          exclude: [...exclude, ...isolatedFiles],
          // Loading modules costs more than most files; tests/setup/environment.ts separates them.
          isolate: false,
        },
      },
      {
        resolve,
        test: { ...unit, name: 'unit-isolated', include: ofSuite('unit') },
      },
      {
        resolve,
        test: {
          ...domain,
          name: 'domain',
          include: ['tests/domain/**/*.test.ts'],
          exclude: [...exclude, ...isolatedFiles],
          isolate: false,
          expect: { poll },
        },
      },
      {
        resolve,
        test: { ...domain, name: 'domain-isolated', include: ofSuite('domain'), expect: { poll } },
      },
      {
        resolve,
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          exclude,
          globalSetup: ['tests/setup/openapi-document.ts'],
          setupFiles: ['tests/setup/running-app.ts', 'tests/setup/property-seed.ts'],
          // Loading the app and compiling the validators of responses cost more than most files.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          exclude,
          globalSetup: ['tests/setup/openapi-document.ts'],
          setupFiles: ['tests/setup/environment.ts', 'tests/setup/documented-responses.ts'],
          // Each file starts a separate installation and mostly waits for it.
          maxWorkers: 2,
          // A project with a different number of workers needs a later group.
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 60_000,
          expect: { poll: { interval: 50, timeout: 40_000 } },
        },
      },
    ].map((project) => ({ ...project, test: { ...project.test, ...tier } })),
  },
});
