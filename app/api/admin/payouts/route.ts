import { NextResponse } from 'next/server';
import { route } from '@/lib/auth/route';
import { adminPayoutsQuery, adminPayoutsResponse, adminPayoutView } from '@/lib/payouts/contract';
import { listPayouts } from '@/lib/payouts/queries';
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
