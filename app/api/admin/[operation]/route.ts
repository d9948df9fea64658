import { z } from 'zod';
import { onReplica } from '@/db/replicas';
import { hasPermission } from '@/lib/access/authorize';
import { joinRoutes, route } from '@/lib/auth/route';
import { listSellerRecords, sellerRecordRowResponse, sellerRecordsQuery } from '@/lib/dashboard/seller-records';
import { createEndpointRoute, listEndpointsRoute, listEventsRoute } from '@/lib/developers/webhooks/routes';
import { adminOrderView } from '@/lib/orders/contract';
import { adminDisputesResponse, adminDisputeView, disputesQuery } from '@/lib/orders/disputes/contract';
import { listDisputes } from '@/lib/orders/disputes/queries';
import { listWatches, watchesQuery, watchesResponse, watchView } from '@/lib/orders/link-checks/queries';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import { adminOrdersResponse, allOrdersQuery } from '@/lib/orders/order/schemas';
import { bankLinesQuery, bankLinesResponse } from '@/lib/payments/bank-transfers/contract';
import { listBankLines } from '@/lib/payments/bank-transfers/queries';
import { adminPayoutsQuery, adminPayoutsResponse, adminPayoutView } from '@/lib/payouts/contract';
import { listPayouts } from '@/lib/payouts/queries';
import { cursorHeaders, namedPageResponse, pageResponse } from '@/lib/platform/http/list-response';
import { operatorResponse, saveOperatorBody, saveTaxBody } from '@/lib/tax/operator-contract';
import { getOperator } from '@/lib/tax/queries';
import { ensureReferenceRates, saveOperator, saveTax } from '@/lib/tax/save-operator';
import { walletUserResponse, walletUsersQuery, walletUserView } from '@/lib/users/contract';
import { listWalletUsers } from '@/lib/users/wallet-users';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  'bank-transfers': {
    GET: route(
      {
        access: 'ManageWallets',
        summary: 'Lists the credits of bank statements, newest first.',
        response: bankLinesResponse,
        responseHeaders: cursorHeaders,
        query: bankLinesQuery,
      },
      async ({ query }) => {
        const { rows, ...page } = await listBankLines(query);
        return namedPageResponse({ lines: rows }, page, query);
      },
    ),
  },
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
        return namedPageResponse({ disputes: rows.map(adminDisputeView) }, page, query);
      },
    ),
  },
  events: { GET: listEventsRoute('installation') },
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
        return namedPageResponse({ links: rows.map(watchView) }, page, query);
      },
    ),
  },
  operator: {
    GET: route(
      {
        access: 'ManageSettings',
        summary: 'Returns the identity of the operator, its rules of tax and the rates of today.',
        response: operatorResponse,
      },
      getOperator,
    ),
    PUT: route(
      {
        access: 'ManageSettings',
        recentAuthentication: true,
        summary: 'Changes the identity of the operator and its rules of tax.',
        description: 'What is left out stays as it is. A change of the bank accounts is mailed to all admins.',
        body: saveOperatorBody,
        response: operatorResponse,
        errors: ['conflict', 'billing_incomplete'],
      },
      async ({ actor, body }) => {
        await saveOperator(actor, body);
        await ensureReferenceRates();
        return getOperator();
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
        return namedPageResponse({ orders: rows.map(adminOrderView) }, page, query);
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
        return namedPageResponse({ payouts: rows.map(adminPayoutView) }, page, query);
      },
    ),
  },
  sellers: {
    GET: route(
      {
        access: 'ManageOrders',
        summary: 'Lists the sellers with their records of the last 12 months.',
        response: z.array(sellerRecordRowResponse),
        responseHeaders: cursorHeaders,
        query: sellerRecordsQuery,
      },
      async ({ actor, query }) =>
        pageResponse(await onReplica(actor, (on) => listSellerRecords(query, on)), (seller) => seller),
    ),
  },
  tax: {
    PUT: route(
      {
        access: 'ManageSettings',
        recentAuthentication: true,
        summary: 'Turns tax on or off.',
        description: 'With tax on, prices are net and buyers pay tax by their country.',
        body: saveTaxBody,
        response: operatorResponse,
        errors: ['conflict', 'billing_incomplete'],
      },
      async ({ actor, body }) => {
        await saveTax(actor, body);
        await ensureReferenceRates();
        return getOperator();
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
        const withBalance = hasPermission(actor, 'ManageWallets');
        return pageResponse(await listWalletUsers(query), (row) => walletUserView(row, withBalance));
      },
    ),
  },
  webhooks: { GET: listEndpointsRoute('installation'), POST: createEndpointRoute('installation') },
});
