import type { Readable } from 'node:stream';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { csvFile, csvLine } from '@/lib/platform/csv';
import { contentDisposition } from '@/lib/platform/http/attachment-response';
import { idempotencyKeyHeader, parseIdempotencyKey } from '@/lib/platform/http/parse';
import { receiveFile } from '@/lib/platform/http/receive-file';
import { toWebStream } from '@/lib/platform/http/web-stream';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags';
import { type ImportResult, importSites } from './import-sites';
import { type ImportUpload, importCheckResponse, importResponse, maxImportBytes } from './import-upload';
import { columnChoices, type ImportAudience, noChoices } from './map-header';
import { type ImportPreview, previewImport } from './preview-import';
import { streamRejectedRows } from './rejected-rows';

const refusals = ['conflict'] as const;
const sellerRefusals = [...refusals, 'not_configured'] as const;

/**
 * Creates the route that imports the CSV file in the form field `file` as sites of the caller. `?mode=check` previews
 * the import, `?mode=rejected` returns the rows it would skip; `&columns=3:dr,7:none` chooses columns.
 */
export function createUploadRoute(access: 'ManageSites' | 'seller', audience: ImportAudience) {
  const facts = {
    access,
    summary: 'Imports a CSV file of sites.',
    description:
      'With `mode=check`, it only previews the result; with `mode=rejected`, it returns the rows it would skip, as CSV.',
    query: uploadQuery,
    response: { ...csvFile, orJson: z.union([importResponse, importCheckResponse]) },
    upload: { field: 'file', maxBytes: maxImportBytes },
    requestHeaders: idempotencyKeyHeader,
    errors: audience === 'seller' ? sellerRefusals : refusals,
  } as const;
  return route(facts, async ({ actor, query, request }) => {
    const key = parseIdempotencyKey(request);
    await consumeLimit('import', { account: actor.userId, address: '' });
    return receiveFile<ImportPreview | ImportResult | Response>(
      request,
      { field: 'file', maxBytes: maxImportBytes, userId: actor.userId },
      async (file, name) => {
        if (audience === 'seller') await requireUploadsEnabled(file);
        const upload: ImportUpload = { file, name, audience, choices: query.columns, signal: request.signal };
        if (query.mode === 'check') return previewImport(actor, upload);
        if (query.mode === 'import') return importSites(actor, upload, key);
        return new Response(toWebStream(await streamRejectedRows(actor, upload)), {
          headers: {
            'Content-Type': 'text/csv; charset=utf-8',
            'Content-Disposition': contentDisposition(`rejected-${name.replace(/^.*[\\/]/s, '')}`),
            'X-Content-Type-Options': 'nosniff',
          },
        });
      },
    );
  });
}

/** Requires site uploads. @throws AppError not_configured while they are turned off; destroys the file */
async function requireUploadsEnabled(file: Readable): Promise<void> {
  try {
    await requireFlag('site-uploads');
  } catch (thrown) {
    file.destroy();
    throw thrown;
  }
}

/** The upload's query. Every mode parses the file in the same way. */
const uploadQuery = z.object({
  mode: z.enum(['import', 'check', 'rejected'], 'Use import, check or rejected.').default('import'),
  columns: columnChoices.default(noChoices),
});

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
  ['TAT', '5 days'],
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
