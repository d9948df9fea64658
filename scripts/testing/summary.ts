import type { FileTime, Outcome } from './outcome';

export type SuiteResult = Outcome & { name: string; ms: number };

const slowestFiles = 10;

/**
 * Formats the tables at the end of a run: each suite with its tests and seconds, then the slowest files of each suite.
 */
export function formatSummary(results: readonly SuiteResult[]): string {
  const suites = table(
    ['suite', 'tests', 'failed', 'seconds'],
    results.map(({ name, passed, failed, ms }) => [name, String(passed + failed), String(failed), seconds(ms)]),
  );
  const files = results.filter((result) => result.files.length > 1).map(formatSlowest);
  return [suites, ...files].join('\n\n');
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
