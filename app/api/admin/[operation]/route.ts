import { NextResponse } from 'next/server';
import { z } from 'zod';
import { hasPermission } from '@/lib/access/authorize';
import { joinRoutes, route } from '@/lib/auth/route';
import { createEndpointRoute, listEndpointsRoute, listEventsRoute } from '@/lib/developers/webhooks/routes';
import { adminOrderView } from '@/lib/orders/contract';
import { adminDisputesResponse, adminDisputeView, disputesQuery } from '@/lib/orders/disputes/contract';
import { listDisputes } from '@/lib/orders/disputes/queries';
import { listWatches, watchesQuery, watchesResponse, watchView } from '@/lib/orders/link-checks/queries';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import { adminOrdersResponse, allOrdersQuery } from '@/lib/orders/order/schemas';
import { adminPayoutsQuery, adminPayoutsResponse, adminPayoutView } from '@/lib/payouts/contract';
import { listPayouts } from '@/lib/payouts/queries';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';
import { walletUserResponse, walletUsersQuery, walletUserView } from '@/lib/users/contract';
import { listWalletUsers } from '@/lib/users/wallet-users';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  disputes: {
    GET: route(
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
    ),
  },
  events: {
    GET: listEventsRoute('installation'),
  },
  'link-checks': {
    GET: route(
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
    ),
  },
  orders: {
    GET: route(
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
    ),
  },
  payouts: {
    GET: route(
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
    ),
  },
  users: {
    /** Lists users by name, for user pickers. */
    GET: route(
      {
        access: ['ManageWallets', 'ManageUsers', 'ManageOrders'],
        summary: 'Lists users by name, to select one.',
        response: z.array(walletUserResponse),
        responseHeaders: cursorHeaders,
        query: walletUsersQuery,
      },
      async ({ actor, query }) => {
        const { rows, ...page } = await listWalletUsers(query);
        const withBalance = hasPermission(actor, 'ManageWallets');
        const users = rows.map((row) => walletUserView(row, withBalance));
        return NextResponse.json(users, { headers: pageHeaders(page) });
      },
    ),
  },
  webhooks: {
    GET: listEndpointsRoute('installation'),
    POST: createEndpointRoute('installation'),
  },
});
