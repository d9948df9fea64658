import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './process/child';
import { type Lifetime, runCommand } from './process/lifetime';
import { showProgress } from './process/progress';
import { projectRoot } from './process/root';
import { selectAffectedTests } from './testing/affected-tests';
import { parseArguments } from './testing/arguments';
import { changedFiles, readSources } from './testing/changed-files';
import { testEnvironment } from './testing/environment';
import { keptDataDir, removeLeftovers, testFolderPrefix } from './testing/leftovers';
import { lanes, type Suite, type SuiteName, suites } from './testing/suites';
import { formatSummary, type SuiteResult } from './testing/summary';
import { createTempFolder } from './testing/temp-folder';
import { isFullRun } from './testing/tier';

/**
 * `npm test`: every suite in the standard tier, also after one has failed; then tables of them and of what failed, and a last
 * line that adds them up. `npm run test:full` runs the full tier.
 * `npm test -- unit domain` runs two suites, `npm test -- e2e tests/e2e/x.spec.ts` a part of one, and
 * `npm test -- --changed` what the difference from the branch `main` can affect; suites may be named with it. Options of
 * the test runner are passed on: `npm test -- e2e --shard=1/2`.
 */
runCommand(async (lifetime) => {
  const started = Date.now();
  // Several suites print at the same time, so no line is updated.
  const progress = showProgress({ write: (text) => process.stdout.write(text) });
  const print = progress.say;
  const { suites: names, passed, isChanged, isFull } = parseArguments(process.argv.slice(2));
  process.env.TEST_TIER = isFull || isFullRun ? 'full' : 'standard';
  process.env.TEST_SEED ||= seedOfCommit();
  if (!isChanged && !passed.some((argument) => !argument.startsWith('-'))) process.env.TEST_BY_TURN = '1';
  const run = `${process.env.TEST_TIER} tier, TEST_SEED=${process.env.TEST_SEED}`;
  print(run);
  const affected = isChanged
    ? selectAffectedTests(changedFiles(), readSources(), process.env.TEST_TIER === 'full')
    : undefined;
  const selectionOf = (suite: Suite): string[] | 'not affected' => {
    const files = affected && suite.isMadeOfFiles ? affected[suite.name] : 'all';
    if (files === 'all') return passed;
    return files.length === 0 ? 'not affected' : [...passed, ...files];
  };
  const chosen = suites.filter((suite) => {
    const isChosen = names.includes(suite.name);
    const isSkipped = isChosen && selectionOf(suite) === 'not affected';
    if (isSkipped) print(`── ${suite.name}: not affected`);
    return isChosen && !isSkipped;
  });
  removeLeftovers();
  const folder = createTempFolder(testFolderPrefix);
  await lifetime.own(Promise.resolve(folder), (path) => rmSync(path, { recursive: true, force: true }));
  const isPart = isChanged || passed.length > 0;
  const environment = testEnvironment(lifetime, progress, {
    dataDir: join(folder, 'data'),
    ...(isPart && !process.env.CI && { keptDataDir: keptDataDir() }),
  });
  const say = (name: SuiteName) => (line: string) => {
    if (chosen.length === 1) print(line);
    else if (line.trim()) print(`${name.padEnd(6)} | ${line}`);
  };

  const runOne = async (suite: Suite, priority: number): Promise<SuiteResult> => {
    const from = Date.now();
    print(`\n── ${suite.name}`);
    const selection = selectionOf(suite);
    const outcome = await environment(suite.needs)
      .then((env) =>
        runSuite(lifetime, suite, {
          passed: selection === 'not affected' ? [] : selection,
          ...{ report: join(folder, `${suite.name}.json`), env, priority, onLine: say(suite.name) },
        }),
      )
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        print(message);
        return { passed: 0, failed: 1, files: [], failures: [{ file: suite.name, title: '', message }] };
      });
    const ms = Date.now() - from;
    print(`── ${suite.name}: ${outcome.passed} passed, ${outcome.failed} failed (${(ms / 1000).toFixed(1)} s)\n`);
    return { name: suite.name, ms, ...outcome };
  };

  const results: SuiteResult[] = [];
  const runLane = async ({ names: own, priority }: (typeof lanes)[number]) => {
    const inLane = own.flatMap((name) => chosen.find((suite) => suite.name === name) ?? []);
    // The build uses all cores itself. A failure is that of the suite that needs it.
    if (priority === 0 && inLane.some(({ needs }) => needs === 'app')) {
      await environment('build').catch(() => undefined);
      // Starts and writes the demo data beside the first suite.
      environment('app').catch(() => undefined);
    }
    for (const suite of inLane) results.push(await progress.step(suite.name, runOne(suite, priority)));
  };
  await Promise.all(lanes.map(runLane));

  const total = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  // Everything is stopped before the last line, so that it is the last one.
  lifetime.onExit(() => {
    const took = `${run}, ${((Date.now() - started) / 60_000).toFixed(1)} minutes`;
    print(`\n${formatSummary(results)}\n\n${took}\n\n${total} passed, ${failed} failed`);
  });
  const isNothingAffected = isChanged && chosen.length === 0;
  await lifetime.end(failed === 0 && (total > 0 || isNothingAffected) ? 0 : 1);
});

/** Returns a seed of the commit: inputs differ between commits, and are the same wherever a commit is tested. */
function seedOfCommit(): string {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return String(Number.parseInt(commit.slice(0, 7), 16));
  } catch {
    // Not a clone, e.g. an unpacked archive.
    return '1';
  }
}

type Run = {
  passed: string[];
  report: string;
  env: Record<string, string>;
  priority: number;
  onLine: (line: string) => void;
};

async function runSuite(lifetime: Lifetime, suite: Suite, { passed, report, env, priority, onLine }: Run) {
  let exitCode: number | null = 0;
  for (const args of suite.commands(passed, report)) {
    const child = startChild({
      name: suite.name,
      args,
      env: {
        ...env,
        ...suite.env?.(report),
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
        VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true',
      },
      priority,
      onLine,
    });
    await lifetime.own(Promise.resolve(child), (running) => running.stop());
    await child.exited;
    exitCode = child.exitCode();
    if (exitCode !== 0) break;
  }
  return suite.outcome(report, exitCode, process.env.TEST_TIER === 'full');
}
