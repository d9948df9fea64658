import { Readable } from 'node:stream';
import { route } from '@/lib/http/route';
import { toWebStream } from '@/lib/http/web-stream';
import { deskFilter } from '@/lib/sites/desk-schemas';
import { exportSites } from '@/lib/sites/export';

/** The filtered list as a CSV file, sent while it is read. */
export const GET = route({ access: 'ManageSites', query: deskFilter }, async ({ query }) => {
  const file = toWebStream(Readable.from(exportSites(query), { objectMode: false }));
  const day = new Date().toISOString().slice(0, 10);
  return new Response(file, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="sites-${day}.csv"`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
});
