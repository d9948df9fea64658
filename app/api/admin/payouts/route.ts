import { NextResponse } from 'next/server';
import { route } from '@/lib/auth/route';
import { listPayouts } from '@/lib/payouts/queries';
import { adminPayoutsQuery, adminPayoutsResponse } from '@/lib/payouts/schemas';
import { adminPayoutView } from '@/lib/payouts/views';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';

export const GET = route(
  {
    access: 'ManagePayouts',
    summary: 'Lists the payouts to sellers, newest first.',
    response: adminPayoutsResponse,
    responseHeaders: cursorHeaders,
    query: adminPayoutsQuery,
  },
  async ({ query }) => {
    const { rows, ...page } = await listPayouts(query);
    const { limit, offset } = query;
    return NextResponse.json(
      { payouts: rows.map(adminPayoutView), total: page.total, limit, offset },
      { headers: pageHeaders(page) },
    );
  },
);
