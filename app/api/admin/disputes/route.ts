import { NextResponse } from 'next/server';
import { route } from '@/lib/auth/route';
import { adminDisputesResponse, adminDisputeView, disputesQuery } from '@/lib/orders/disputes/contract';
import { listDisputes } from '@/lib/orders/disputes/queries';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';

export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'Lists the disputes about orders, open ones first.',
    response: adminDisputesResponse,
    responseHeaders: cursorHeaders,
    query: disputesQuery,
  },
  async ({ query }) => {
    const { rows, ...page } = await listDisputes(query);
    const { limit, offset } = query;
    return NextResponse.json(
      { disputes: rows.map(adminDisputeView), total: page.total, limit, offset },
      { headers: pageHeaders(page) },
    );
  },
);
