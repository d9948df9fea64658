import type { ImportField } from './header-names';
import type { ImportColumn } from './map-header';
import { type NumberKind, type NumberStyle, readNumber } from './read-number';
import type { CsvRecord } from './read-records';
import type { RowProblem } from './site-draft';
import type { Survey } from './survey';

/** What spreadsheets and tools write where they know nothing. */
const nothing = /^(?:[-–—]+|n\/?a|#n\/a|null|none|nan)$/i;

/** Printable ASCII with single spaces inside, which most cells are: nothing to tidy, and quickly seen. */
const isTidy = /^(?:[!-&(-~]+(?: [!-~]+)*)?$/;
/** The apostrophe that keeps a spreadsheet from running a text as a formula; see lib/sites/csv-line.ts. */
const shielded = /^'(?=[=+\-@＝＋－＠|%])/;

/** On one line, without control characters and without the apostrophe that our own files put before a formula. */
function tidy(cell: string): string {
  if (isTidy.test(cell)) return cell;
  return cell
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(shielded, '');
}

export type CellReader = {
  style: NumberStyle;
  column: (field: ImportField) => ImportColumn | undefined;
  /** One line, trimmed, '' for nothing. A text that looks like a formula stays the text it is. */
  text: (field: ImportField, maxLength?: number) => string;
  number: (field: ImportField, kind: Exclude<NumberKind, 'money'>, max: number) => number | null;
  /** Notes the row's first problem. */
  fail: (field: ImportField, reason: string) => null;
  problem: () => RowProblem | null;
};

/** Reads the cells of one row by field; the first that cannot be used is the row's problem. */
export function readCells({ row, cells }: CsvRecord, { columns, style }: Survey): CellReader {
  const problems: RowProblem[] = [];
  const fail: CellReader['fail'] = (field, reason) => {
    if (problems.length === 0) problems.push({ row, column: columns[field]?.header ?? '', reason });
    return null;
  };
  const text: CellReader['text'] = (field, maxLength = 100) => {
    const column = columns[field];
    if (!column) return '';
    const cell = tidy(cells[column.index] ?? '');
    if (cell.length > maxLength) {
      fail(field, `Use at most ${maxLength} characters.`);
      return '';
    }
    return nothing.test(cell) ? '' : cell;
  };
  return {
    style,
    column: (field) => columns[field],
    text,
    number: (field, kind, max) => {
      const cell = text(field);
      if (cell === '') return null;
      const read = readNumber(cell, kind, style);
      if ('problem' in read) return fail(field, 'This is no number.');
      const value = kind === 'count' ? Math.round(Number(read.decimal)) : Number(read.decimal);
      if (value > max) return fail(field, `Use a number from 0 to ${max.toLocaleString('en-US')}.`);
      return value;
    },
    fail,
    problem: () => problems[0] ?? null,
  };
}
