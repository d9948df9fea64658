import { NextResponse } from 'next/server';
import { route } from '@/lib/auth/route';
import { adminOrderView } from '@/lib/orders/contract';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import { adminOrdersResponse, allOrdersQuery } from '@/lib/orders/order/schemas';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';

export const GET = route(
  {
    access: 'ManageOrders',
    summary: "Lists all users' orders, newest first.",
    response: adminOrdersResponse,
    responseHeaders: cursorHeaders,
    query: allOrdersQuery,
  },
  async ({ query }) => {
    const { rows, ...page } = await listAllOrders(query);
    const { limit, offset } = query;
    return NextResponse.json(
      { orders: rows.map(adminOrderView), total: page.total, limit, offset },
      { headers: pageHeaders(page) },
    );
  },
);
