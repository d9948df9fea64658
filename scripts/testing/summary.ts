import type { Failure, FileTime, Outcome } from './outcome';

export type SuiteResult = Outcome & { name: string; ms: number };

const slowestFiles = 10;
/** Failures shown of one file and of the whole run, so that the end of a log shows each file that failed. */
const failuresShown = { perFile: 5, total: 60 };

/**
 * Formats the tables at the end of a run: the slowest files of each suite, each suite with its tests and seconds, and
 * the tests that failed, last, where a log that is cut in the middle still shows them.
 */
export function formatSummary(results: readonly SuiteResult[]): string {
  const suites = table(
    ['suite', 'tests', 'failed', 'seconds'],
    results.map(({ name, passed, failed, ms }) => [name, String(passed + failed), String(failed), seconds(ms)]),
  );
  const files = results.filter((result) => result.files.length > 1).map(formatSlowest);
  const failures = results.flatMap((result) => result.failures);
  return [...files, suites, ...(failures.length > 0 ? [formatFailures(failures)] : [])].join('\n\n');
}

function formatFailures(failures: readonly Failure[]): string {
  const lines = [...new Set(failures.map(({ file }) => file))].flatMap((file) => {
    const own = failures.filter((failure) => failure.file === file);
    return [
      ...own.slice(0, failuresShown.perFile).map(({ title, message }) => `${file} > ${title}\n    ${message}`),
      ...(own.length > failuresShown.perFile ? [`${file}: ${own.length - failuresShown.perFile} more`] : []),
    ];
  });
  const rest = lines.length - failuresShown.total;
  return ['failed', ...lines.slice(0, failuresShown.total), ...(rest > 0 ? [`${rest} lines more`] : [])].join('\n');
}

function formatSlowest({ name, files }: SuiteResult): string {
  const slowest = files.toSorted((a: FileTime, b: FileTime) => b.ms - a.ms).slice(0, slowestFiles);
  return table(
    [`slowest of ${name}`, 'tests', 'seconds'],
    slowest.map(({ file, tests, ms }) => [file, String(tests), seconds(ms)]),
  );
}

/** Formats a table: the first column is text, the others are right-aligned numbers. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
