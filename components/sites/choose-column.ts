import type { Choices, ImportCheck } from './import-types';

/** What a column is, as far as it was said or found. */
export function fieldOf(column: ImportCheck['columns'][number], choices: Choices): string {
  return choices[column.index] ?? column.field ?? 'none';
}

/** A field belongs to one column: the one that had it before is not used any more. */
export function chooseColumn(check: ImportCheck, choices: Choices, index: number, field: string): Choices {
  const before = check.columns.find(
    (column) => field !== 'none' && column.index !== index && fieldOf(column, choices) === field,
  );
  return { ...choices, ...(before && { [before.index]: 'none' }), [index]: field };
}

/** As the upload addresses take it: `3:dr,7:none`. */
export function columnsParam(choices: Choices): string {
  return Object.entries(choices)
    .map(([index, field]) => `${index}:${field}`)
    .join(',');
}
