import { NextResponse } from 'next/server';
import { route } from '@/lib/http/route';
import { listAllOrders } from '@/lib/orders/queries';
import { allOrdersQuery } from '@/lib/orders/schemas';
import { adminOrderView } from '@/lib/orders/views';

export const GET = route({ access: 'ManageOrders', query: allOrdersQuery }, async ({ query }) => {
  const { rows, total } = await listAllOrders(query);
  const { limit, offset } = query;
  return NextResponse.json(
    { orders: rows.map(adminOrderView), total, limit, offset },
    { headers: { 'X-Total-Count': String(total) } },
  );
});
