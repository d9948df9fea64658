/** A line of CSV (RFC 4180) as spreadsheets open it without harm. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** One cell; an apostrophe goes before what a spreadsheet would run as a formula (decision 18), in wide letters as well. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^\s*[=+\-@＝＋－＠\t\r\n|%]/.test(value) ? `'${value}` : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
