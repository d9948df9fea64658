/** The response of an upload endpoint for ?mode=check. */
export type ImportCheck = {
  rows: number;
  ready: number;
  duplicates: number;
  skipped: number;
  errors: { row: number; column: string; reason: string }[];
  unknownHeaders: string[];
  columns: { index: number; header: string; sample: string; field: string | null }[];
  fields: { field: string; label: string }[];
};

/** The fields that the user assigned to columns, by column index: the name of a field, or 'none'. */
export type Choices = Readonly<Record<number, string>>;
