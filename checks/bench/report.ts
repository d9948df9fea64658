import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/scripts/process/root';
import { type Bar, isHeld, type Recorded, recordBars, showLimit, showMeasured } from './bars';
import { replaceFile, whileWriting } from './replace-file';

/**
 * Writes a part's text between its markers in a page of docs, prints it, and records its bars. Other text is unchanged.
 */
export function writeReport(
  part: string,
  { text, bars, page = 'performance.md' }: { text: string; bars: readonly Bar[]; page?: string },
): void {
  whileWriting(() => {
    recordBars(part, bars);
    replaceSection(part, text.trim(), page);
  });
  process.stdout.write(`\n${text.trim()}\n`);
}

function replaceSection(part: string, text: string, page: string): void {
  const file = join(projectRoot, 'docs/internals', page);
  const [start, end] = [`<!-- bench:${part} -->`, `<!-- /bench:${part} -->`];
  const section = `${start}\n\n${text}\n\n${end}`;
  const old = existsSync(file) ? readFileSync(file, 'utf8') : '# Performance\n';
  const from = old.indexOf(start);
  const to = old.indexOf(end);
  replaceFile(
    file,
    from < 0 || to < from
      ? `${old.trimEnd()}\n\n${section}\n`
      : `${old.slice(0, from)}${section}${old.slice(to + end.length)}`,
  );
}

/** Lists every bar of the parts, held or not, beside the run before. @returns a table in Markdown */
export function compareBars(parts: readonly string[], before: Recorded, now: Recorded): string {
  const rows = parts.flatMap((part) =>
    (now[part]?.bars ?? []).map((bar) => {
      const last = before[part]?.bars.find(({ name }) => name === bar.name);
      return [
        `${part}: ${bar.name}`,
        showMeasured(bar),
        showLimit(bar),
        isHeld(bar) ? 'held' : '**missed**',
        last ? `${showMeasured(last)}${isHeld(last) ? '' : ', missed'} (${before[part]?.date})` : '–',
      ];
    }),
  );
  return table(['', 'measured', 'bar', '', 'last recorded'], rows);
}

/** Formats a figure with its limit as the last cells of a row; a missed figure is bold. */
export function barCells(bar: Bar): [measured: string, limit: string] {
  return [isHeld(bar) ? showMeasured(bar) : `**${showMeasured(bar)}**`, showLimit(bar)];
}

/** Formats a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
