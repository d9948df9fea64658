import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** What a suite came to, in checks. A skipped test counts as failed: nobody may switch one off unseen. */
export type Outcome = { passed: number; failed: number };

const vitestReport = z.object({
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

const playwrightReport = z.object({
  errors: z.array(z.unknown()),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

/** Counts Vitest's JSON report; a file that could not be read counts as one failure. */
export function vitestOutcome(file: string, exitCode: number | null): Outcome {
  if (!existsSync(file)) return broken(exitCode);
  const { testResults } = vitestReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  const statuses = testResults.flatMap(({ status, assertionResults }) => {
    const own = assertionResults.map((test) => test.status);
    // Its imports or its hooks failed, and no test shows it.
    return status === 'failed' && !own.includes('failed') ? [...own, 'failed'] : own;
  });
  const passed = statuses.filter((status) => status === 'passed').length;
  return atLeastOneFailure({ passed, failed: statuses.length - passed }, exitCode);
}

/** Counts Playwright's JSON report; retries are off, so a flaky test does not occur and would count as failed. */
export function playwrightOutcome(file: string, exitCode: number | null): Outcome {
  if (!existsSync(file)) return broken(exitCode);
  const { stats, errors } = playwrightReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length;
  return atLeastOneFailure({ passed: stats.expected, failed }, exitCode);
}

/** A check without tests of its own: lint, types, build. */
export function singleOutcome(exitCode: number | null): Outcome {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function broken(exitCode: number | null): Outcome {
  return exitCode === 0 ? { passed: 0, failed: 0 } : { passed: 0, failed: 1 };
}

/** E.g. an error outside any test: the tool ended with a failure though its tests passed. */
function atLeastOneFailure(outcome: Outcome, exitCode: number | null): Outcome {
  return exitCode !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
}
