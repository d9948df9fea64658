import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './process/child';
import { type Lifetime, runCommand } from './process/lifetime';
import { selectAffectedTests } from './testing/affected-tests';
import { changedFiles, readSources } from './testing/changed-files';
import { testEnvironment } from './testing/environment';
import { removeLeftovers, testFolderPrefix } from './testing/leftovers';
import { type Suite, suites } from './testing/suites';
import { formatSummary, type SuiteResult } from './testing/summary';
import { createTempFolder } from './testing/temp-folder';

/**
 * `npm test`: every suite, also after one has failed; then tables of them and of what failed, and a last line that adds them up. The
 * suites that need nothing run at the same time, the others in turn.
 * `npm test -- domain` runs one suite, `npm test -- e2e tests/e2e/x.spec.ts` a part of it, and `npm test -- --changed`
 * what the difference from the branch `main` can affect; a suite may be named with it.
 */
runCommand(async (lifetime) => {
  const words = process.argv.slice(2);
  const [wanted, ...named] = words.filter((word) => word !== '--changed');
  const chosen = suites.filter(({ name }) => wanted === undefined || name === wanted);
  if (chosen.length === 0) {
    throw new Error(`Unknown suite ${wanted}; use ${suites.map(({ name }) => name).join(', ')}.`);
  }
  const affected = words.includes('--changed') ? selectAffectedTests(changedFiles(), readSources()) : undefined;
  removeLeftovers();
  const folder = createTempFolder(testFolderPrefix);
  await lifetime.own(Promise.resolve(folder), (path) => rmSync(path, { recursive: true, force: true }));
  const environment = testEnvironment(lifetime, join(folder, 'data'));

  const run = async (suite: Suite, print: (line: string) => void): Promise<SuiteResult[]> => {
    const files = affected && suite.isMadeOfFiles ? affected[suite.name] : named;
    if (files.length === 0 && files !== named) {
      print(`\n── ${suite.name}: not affected`);
      return [];
    }
    const started = Date.now();
    print(`\n── ${suite.name}`);
    const report = join(folder, `${suite.name}.json`);
    const outcome = await environment(suite.needs)
      .then((env) => runSuite(lifetime, suite, files === 'all' ? [] : files, report, env, print))
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        print(message);
        return { passed: 0, failed: 1, files: [], failures: [{ file: suite.name, title: '', message }] };
      });
    const ms = Date.now() - started;
    print(`── ${suite.name}: ${outcome.passed} passed, ${outcome.failed} failed (${(ms / 1000).toFixed(1)} s)`);
    return [{ name: suite.name, ms, ...outcome }];
  };
  const print = (line: string) => void process.stdout.write(`${line}\n`);

  // These use one core each, or wait for processes; the others use all there are.
  const first = chosen.filter(({ needs }) => needs === 'nothing');
  if (first.length > 1)
    print(`\n── ${first.map(({ name }) => name).join(', ')} at the same time, each shown when it ends`);
  const results = (
    await Promise.all(
      first.map(async (suite) => {
        if (first.length === 1) return run(suite, print);
        const lines: string[] = [];
        const result = await run(suite, (line) => lines.push(line));
        print(lines.join('\n'));
        return result;
      }),
    )
  ).flat();
  for (const suite of chosen) if (!first.includes(suite)) results.push(...(await run(suite, print)));
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  // Everything is stopped before the last line, so that it is the last one.
  lifetime.onExit(() => process.stdout.write(`\n${formatSummary(results)}\n\n${passed} passed, ${failed} failed\n`));
  await lifetime.end(failed === 0 && passed > 0 ? 0 : 1);
});

async function runSuite(
  lifetime: Lifetime,
  suite: Suite,
  files: string[],
  report: string,
  env: Record<string, string>,
  print: (line: string) => void,
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
      onLine: print,
    });
    await lifetime.own(Promise.resolve(child), (running) => running.stop());
    await child.exited;
    exitCode = child.exitCode();
    if (exitCode !== 0) break;
  }
  return suite.outcome(report, exitCode);
}
