/** What an edit really changes, as the audit log keeps it. */
export type Changes<Row> = {
  /** Names of the changed fields, in the order of the edit. */
  fields: (keyof Row & string)[];
  before: Partial<Row>;
  after: Partial<Row>;
};

/**
 * Compares an edit with the row it is made on. What the edit leaves out (undefined) and what is the same already is no
 * change.
 */
export function changesBetween<Row extends Record<string, unknown>>(row: Row, edit: Partial<Row>): Changes<Row> {
  const changes: Changes<Row> = { fields: [], before: {}, after: {} };
  for (const field in edit) {
    const wanted = edit[field];
    if (wanted === undefined || wanted === row[field]) continue;
    changes.fields.push(field);
    changes.before[field] = row[field];
    changes.after[field] = wanted;
  }
  return changes;
}
