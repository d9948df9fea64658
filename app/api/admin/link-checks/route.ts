import { NextResponse } from 'next/server';
import { route } from '@/lib/auth/route';
import { listWatches, watchesQuery, watchesResponse, watchView } from '@/lib/orders/link-checks/queries';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';

export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'Lists the links that are checked, by the newest order first.',
    response: watchesResponse,
    responseHeaders: cursorHeaders,
    query: watchesQuery,
  },
  async ({ query }) => {
    const { rows, ...page } = await listWatches(query);
    const { limit, offset } = query;
    return NextResponse.json(
      { links: rows.map(watchView), total: page.total, limit, offset },
      { headers: pageHeaders(page) },
    );
  },
);
