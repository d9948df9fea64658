import { csvLine } from '../csv-line';
import type { ImportAudience } from './map-header';

const example: readonly [header: string, cell: string][] = [
  ['Website URL', 'https://www.example.com'],
  ['Name', 'Example: write over this row'],
  ['DR', '45'],
  ['DA', '40'],
  ['Traffic', '12500'],
  ['Spam Score', '2'],
  ['Country', 'USA'],
  ['Language', 'English'],
  ['Niche', 'Travel'],
  ['Post Type', 'Guest posts'],
  ['Follow Type', 'DoFollow'],
  ['TAT', '5 Days'],
  ['Price', '120'],
];
const forStaff: readonly [header: string, cell: string][] = [
  ['Admin Price', '150'],
  ['Public Price', '150'],
  ['Currency', 'USD'],
  ['Status', 'Pending'],
];

/** A CSV file to fill in: every header of the screen's columns, and one row that shows how cells are written. */
export function importTemplate(audience: ImportAudience): string {
  const columns = audience === 'staff' ? [...example, ...forStaff] : example;
  // The mark tells spreadsheets that this is UTF-8.
  return `\uFEFF${csvLine(columns.map(([header]) => header))}${csvLine(columns.map(([, cell]) => cell))}`;
}
