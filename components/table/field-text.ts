/** A field of a record as a form is filled with it; '' for none. */
export function fieldText(row: object, field: string): string {
  const value: unknown = Object.entries(row).find(([name]) => name === field)?.[1];
  return value === null || value === undefined ? '' : String(value);
}
