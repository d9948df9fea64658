import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './process/child';
import { type Lifetime, runCommand } from './process/lifetime';
import { testEnvironment } from './testing/environment';
import { removeLeftovers, testFolderPrefix } from './testing/leftovers';
import { type Suite, suites } from './testing/suites';
import { makeTempFolder } from './testing/temp-folder';

/**
 * `npm test`: every suite in turn, also after one has failed; the last line adds them up. `npm test -- domain` runs one
 * suite, `npm test -- e2e tests/e2e/x.spec.ts` a part of it.
 */
runCommand(async (lifetime) => {
  const [wanted, ...files] = process.argv.slice(2);
  const chosen = suites.filter(({ name }) => wanted === undefined || name === wanted);
  if (chosen.length === 0) {
    throw new Error(`There is no suite ${wanted}; there are ${suites.map(({ name }) => name).join(', ')}.`);
  }
  removeLeftovers();
  const folder = makeTempFolder(testFolderPrefix);
  await lifetime.own(Promise.resolve(folder), (path) => rmSync(path, { recursive: true, force: true }));
  const environment = testEnvironment(lifetime, join(folder, 'data'));

  const sum = { passed: 0, failed: 0 };
  for (const suite of chosen) {
    const started = Date.now();
    process.stdout.write(`\n── ${suite.name}\n`);
    const report = join(folder, `${suite.name}.json`);
    const outcome = await environment(suite.needs)
      .then((env) => runSuite(lifetime, suite, files, report, env))
      .catch((error: unknown) => {
        process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
        return { passed: 0, failed: 1 };
      });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    process.stdout.write(`── ${suite.name}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds} s)\n`);
    sum.passed += outcome.passed;
    sum.failed += outcome.failed;
  }
  // Everything is stopped before the last line, so that it is the last one.
  lifetime.onExit(() => process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`));
  await lifetime.end(sum.failed === 0 && sum.passed > 0 ? 0 : 1);
});

async function runSuite(
  lifetime: Lifetime,
  suite: Suite,
  files: string[],
  report: string,
  env: Record<string, string>,
) {
  let exitCode: number | null = 0;
  for (const args of suite.commands(files, report)) {
    const child = startChild({
      name: suite.name,
      args,
      env: {
        ...env,
        ...suite.env?.(report),
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
        VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true',
      },
      onLine: (line) => process.stdout.write(`${line}\n`),
    });
    await lifetime.own(Promise.resolve(child), (running) => running.stop());
    await child.exited;
    exitCode = child.exitCode();
    if (exitCode !== 0) break;
  }
  return suite.outcome(report, exitCode);
}
