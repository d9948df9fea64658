import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { sellerOrderResponse } from '@/lib/orders/order/schemas';
import { listSellerOrders, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { sellerOrdersQuery } from '@/lib/orders/placements/schemas';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';

export const GET = route(
  {
    access: 'seller',
    summary: "Lists the orders of the seller's sites, newest first.",
    response: z.array(sellerOrderResponse),
    responseHeaders: cursorHeaders,
    query: sellerOrdersQuery,
  },
  async ({ actor, query }) => {
    const { rows, ...page } = await listSellerOrders(actor, query);
    return NextResponse.json(rows.map(sellerOrderView), { headers: pageHeaders(page) });
  },
);
