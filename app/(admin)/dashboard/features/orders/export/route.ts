import { Readable } from 'node:stream';
import { route } from '@/lib/http/route';
import { toWebStream } from '@/lib/http/web-stream';
import { deskFilter } from '@/lib/orders/desk-schemas';
import { exportOrders } from '@/lib/orders/export';

/** The filtered list as a CSV file, sent while it is read. */
export const GET = route({ access: 'ManageOrders', query: deskFilter }, async ({ query }) => {
  const file = toWebStream(Readable.from(exportOrders(query), { objectMode: false }));
  const day = new Date().toISOString().slice(0, 10);
  return new Response(file, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="orders-${day}.csv"`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
});
