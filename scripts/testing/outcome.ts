import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { projectRoot } from '@/scripts/process/root';

/** The result of a suite. A skipped test counts as failed, so that skipped tests are noticed. */
export type Outcome = { passed: number; failed: number; files: FileTime[]; failures: Failure[] };

/** A test that did not pass, with the start of its error. */
export type Failure = { file: string; title: string; message: string };

/** Duration of the tests and hooks of one file. The files of a suite run concurrently. */
export type FileTime = { file: string; tests: number; ms: number };

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      startTime: z.number().optional(),
      endTime: z.number().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string().optional(),
          failureMessages: z.array(z.string()).nullish(),
          tags: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

type PlaywrightSuite = {
  specs: {
    file: string;
    title?: string | undefined;
    tests: {
      status?: string | undefined;
      results: { duration: number; errors?: { message?: string | undefined }[] | undefined }[];
    }[];
  }[];
  suites?: PlaywrightSuite[];
};

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({
    specs: z.array(
      z.object({
        file: z.string(),
        title: z.string().optional(),
        tests: z.array(
          z.object({
            status: z.string().optional(),
            results: z.array(
              z.object({
                duration: z.number(),
                errors: z.array(z.object({ message: z.string().optional() })).optional(),
              }),
            ),
          }),
        ),
      }),
    ),
    suites: z.array(playwrightSuite).optional(),
  }),
);

const playwrightReport = z.object({
  errors: z.array(z.object({ message: z.string().optional() })),
  suites: z.array(playwrightSuite),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

/**
 * Parses Vitest's JSON report. A file that failed to load counts as one failure. Tests tagged `full` that the standard run
 * left out do not count.
 */
export function vitestOutcome(report: string, exitCode: number | null, isFull = false): Outcome {
  if (!existsSync(report)) return failedOutcome(exitCode);
  const testResults = vitestReport.parse(JSON.parse(readFileSync(report, 'utf8'))).testResults.map((result) => ({
    ...result,
    assertionResults: result.assertionResults.filter(
      ({ status, tags }) => status !== 'skipped' || !tags.includes('full') || isFull,
    ),
  }));
  const statuses = testResults.flatMap(({ status, assertionResults }) => {
    const own = assertionResults.map((test) => test.status);
    // Its imports or hooks failed, which no test shows.
    return status === 'failed' && !own.includes('failed') ? [...own, 'failed'] : own;
  });
  const passed = statuses.filter((status) => status === 'passed').length;
  const files = testResults.map(({ name, startTime = 0, endTime = startTime, assertionResults }) => ({
    file: relative(projectRoot, name),
    tests: assertionResults.length,
    ms: endTime - startTime,
  }));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(projectRoot, name);
    const own = assertionResults
      .filter((test) => test.status !== 'passed')
      .map((test) => ({
        file,
        title: test.fullName ?? '',
        message: startOf(test.failureMessages?.[0] ?? `The test was ${test.status}.`),
      }));
    // The error of its imports or hooks, which no test shows.
    return status === 'failed' && message ? [{ file, title: '', message: startOf(message) }, ...own] : own;
  });
  return withExitCode({ passed, failed: statuses.length - passed, files, failures }, exitCode);
}

/** Parses Playwright's JSON report; retries are disabled, and a flaky test would count as failed. */
export function playwrightOutcome(report: string, exitCode: number | null): Outcome {
  if (!existsSync(report)) return failedOutcome(exitCode);
  const { stats, errors, suites } = playwrightReport.parse(JSON.parse(readFileSync(report, 'utf8')));
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length;
  const files = new Map<string, FileTime>();
  const failures: Failure[] = errors.map(({ message }) => ({
    file: 'tests/e2e',
    title: '',
    message: startOf(message),
  }));
  for (const { file, title = '', tests } of suites.flatMap(listSpecs)) {
    const entry = files.get(file) ?? { file: `tests/e2e/${file}`, tests: 0, ms: 0 };
    entry.tests += tests.length;
    entry.ms += tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0);
    files.set(file, entry);
    for (const { status = 'expected', results } of tests) {
      const message = results.flatMap((result) => result.errors ?? []).at(0)?.message;
      if (status !== 'expected') {
        failures.push({ file: entry.file, title, message: startOf(message ?? `The test was ${status}.`) });
      }
    }
  }
  return withExitCode({ passed: stats.expected, failed, files: [...files.values()], failures }, exitCode);
}

/** Returns the result of a check without tests: lint, types. */
export function checkOutcome(exitCode: number | null): Outcome {
  return exitCode === 0 ? { passed: 1, failed: 0, files: [], failures: [] } : failedOutcome(exitCode);
}

function listSpecs({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(listSpecs)];
}

function failedOutcome(exitCode: number | null): Outcome {
  return { passed: 0, failed: exitCode === 0 ? 0 : 1, files: [], failures: [] };
}

/** Returns the first line of an error, without the colors of a terminal. */
function startOf(message = ''): string {
  return stripVTControlCharacters(message).split('\n')[0]?.slice(0, 200) ?? '';
}

/** Counts a failed exit code as a failure although all tests passed, e.g. an error outside any test. */
function withExitCode(outcome: Outcome, exitCode: number | null): Outcome {
  return exitCode !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
}
