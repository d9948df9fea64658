import Papa from 'papaparse';

/** The links of a package as a table, parsed from JSON or CSV. */
export type LinkTable = { header: string[] | null; rows: string[][] };

/** The maximum length of the text, which limits the size of pages that show it. */
export const maxLinksLength = 20_000;

/** The maximum number of columns. JSON records with different keys would add a column per key. */
const maxColumns = 50;

/**
 * Parses the text of a package's links: CSV (comma, semicolon or tab) or JSON.
 * @returns the table, or an error message
 */
export function parseLinks(text: string): LinkTable | string {
  const written = text.trim();
  if (written === '') return { header: null, rows: [] };
  return /^[[{]/.test(written) ? parseJsonLinks(written) : parseCsvLinks(written);
}

function parseJsonLinks(written: string): LinkTable | string {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return 'This looks like JSON but cannot be parsed. Check brackets, quotes and commas.';
  }
  if (!Array.isArray(value)) {
    return { header: null, rows: Object.entries(value ?? {}).map(([name, item]) => [name, toCellText(item)]) };
  }
  const names = [...new Set(value.flatMap((item) => (isRecord(item) ? Object.keys(item) : [])))];
  if (names.length > maxColumns) return `These records have ${names.length} different keys; use at most ${maxColumns}.`;
  if (names.length === 0) return { header: null, rows: value.map((item) => [toCellText(item)]) };
  return {
    header: names,
    rows: value.map((item) => (isRecord(item) ? names.map((name) => toCellText(item[name])) : [toCellText(item)])),
  };
}

function parseCsvLinks(written: string): LinkTable | string {
  const { data, errors } = Papa.parse<string[]>(written, { skipEmptyLines: 'greedy' });
  const problem = errors.find(({ type }) => type === 'Quotes');
  if (problem) return `Line ${(problem.row ?? 0) + 1}: a quote is not closed.`;
  const [first = [], ...others] = data.map((row) => row.map((cell) => cell.trim()));
  if (others.length === 0) return { header: null, rows: [first] };
  const uneven = others.findIndex((row) => row.length !== first.length);
  if (uneven >= 0) {
    return `Line ${uneven + 2} has ${formatCellCount(others[uneven]?.length ?? 0)}, but the first line has ${formatCellCount(first.length)}.`;
  }
  const isHeader = first.every((cell) => /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(cell));
  return isHeader ? { header: first, rows: others } : { header: null, rows: [first, ...others] };
}

const formatCellCount = (cells: number) => `${cells} ${cells === 1 ? 'value' : 'values'}`;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toCellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
