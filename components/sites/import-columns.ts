/** The response of an upload endpoint for ?mode=check. */
export type ImportCheck = {
  rows: number;
  ready: number;
  duplicates: number;
  skipped: number;
  errors: { row: number; column: string; reason: string }[];
  unknownHeaders: string[];
  newNiches?: string[];
  columns: { index: number; header: string; sample: string; field: string | null }[];
  fields: { field: string; label: string }[];
};

/** The fields that the user assigned to columns, by column index: the name of a field, or 'none'. */
export type Choices = Readonly<Record<number, string>>;

/** The field of a column: the user's choice, or the one detected. */
export function fieldOf(column: ImportCheck['columns'][number], choices: Choices): string {
  return choices[column.index] ?? column.field ?? 'none';
}

/** Assigns a field to a column. A field belongs to one column, so its previous column is ignored from then on. */
export function assignColumn(check: ImportCheck, choices: Choices, index: number, field: string): Choices {
  const before = check.columns.find(
    (column) => field !== 'none' && column.index !== index && fieldOf(column, choices) === field,
  );
  return { ...choices, ...(before && { [before.index]: 'none' }), [index]: field };
}

/** The `columns` parameter of the upload endpoints: `3:dr,7:none`. */
export function columnsParam(choices: Choices): string {
  return Object.entries(choices)
    .map(([index, field]) => `${index}:${field}`)
    .join(',');
}
