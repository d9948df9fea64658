import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/scripts/process/root';

/** Writes a part's results between its markers in a page of docs, and prints them. Other text is unchanged. */
export function writeReport(part: string, markdown: string, page = 'performance.md'): void {
  const file = join(projectRoot, 'docs/internals', page);
  const [start, end] = [`<!-- bench:${part} -->`, `<!-- /bench:${part} -->`];
  const section = `${start}\n\n${markdown.trim()}\n\n${end}`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '# Performance\n';
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  writeFileSync(
    file,
    from < 0 || to < from
      ? `${text.trimEnd()}\n\n${section}\n`
      : `${text.slice(0, from)}${section}${text.slice(to + end.length)}`,
  );
  process.stdout.write(`\n${markdown.trim()}\n`);
}

/** Formats a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
