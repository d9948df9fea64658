import { toSnakeCase } from 'drizzle-orm/casing';

/** Rows as JSON under the names of their columns, as `jsonb_populate_recordset` reads them. */
export function asJsonRows(rows: readonly Readonly<Record<string, unknown>>[]): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value]))),
  );
}
