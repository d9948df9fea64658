import { contentDisposition } from '../../content/attachment-response';
import { csvFile } from '../../http/csv-response';
import { route } from '../../http/route';
import type { ImportAudience } from './map-header';
import { importTemplate } from './template';

/** An address that answers the CSV template of an audience. */
export function templateRoute(access: 'ManageSites' | 'seller', audience: ImportAudience) {
  return route(
    { access, summary: 'The CSV template of an import.', answer: csvFile },
    async () =>
      new Response(importTemplate(audience), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': contentDisposition('sites-template.csv'),
          'X-Content-Type-Options': 'nosniff',
        },
      }),
  );
}
