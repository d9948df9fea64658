import { route } from '@/lib/auth/route';
import { csvFile, csvLine } from '@/lib/platform/csv';
import { contentDisposition } from '@/lib/platform/http/attachment-response';
import type { ImportAudience } from './map-header';

/** Creates the route that returns the CSV template of an audience. */
export function createTemplateRoute(access: 'ManageSites' | 'seller', audience: ImportAudience) {
  return route(
    { access, summary: 'Returns the CSV template of an import.', response: csvFile },
    async () =>
      new Response(buildTemplate(audience), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': contentDisposition('sites-template.csv'),
          'X-Content-Type-Options': 'nosniff',
        },
      }),
  );
}

const exampleRow: readonly [header: string, cell: string][] = [
  ['Website URL', 'https://www.example.com'],
  ['Name', 'Example: replace this row'],
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
  ['Sample Posts', 'https://www.example.com/a-post https://www.example.com/another'],
  ['Rules', 'No casino topics. Two links per post.'],
];
const staffColumns: readonly [header: string, cell: string][] = [
  ['Admin Price', '150'],
  ['Public Price', '150'],
  ['Currency', 'USD'],
  ['Status', 'Pending'],
];

/** Builds a CSV template: every header and one example row. */
function buildTemplate(audience: ImportAudience): string {
  const columns = audience === 'staff' ? [...exampleRow, ...staffColumns] : exampleRow;
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  return `\uFEFF${csvLine(columns.map(([header]) => header))}${csvLine(columns.map(([, cell]) => cell))}`;
}
