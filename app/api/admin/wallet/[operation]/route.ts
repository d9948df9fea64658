import { z } from 'zod';
import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import * as schemas from '@/lib/payments/reversals/source-refunds/contract';
import { createRefund } from '@/lib/payments/reversals/source-refunds/create';
import { getStartedRefund, listRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import {
  cursorHeaders,
  jsonArray,
  namedPageResponse,
  pageResponse,
  totalHeader,
} from '@/lib/platform/http/list-response';
import { idempotencyKeyHeader, parseIdempotencyKey } from '@/lib/platform/http/parse';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { adminTransactionsQuery, manualTopupBody } from '@/lib/wallet/admin-schemas';
import {
  adminTransactionResponse,
  adminTransactionView,
  manualTopupResponse,
  manualTopupView,
} from '@/lib/wallet/contract';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { countFilteredTransactions, listAllTransactions, streamTransactions } from '@/lib/wallet/queries';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  refunds: {
    GET: route(
      {
        access: 'ManageWallets',
        summary: 'Lists the refunds of top-ups to their payment method, newest first.',
        response: schemas.adminSourceRefundsResponse,
        responseHeaders: cursorHeaders,
        query: schemas.adminRefundsQuery,
      },
      async ({ query }) => {
        const { rows, ...page } = await listRefunds(query);
        return namedPageResponse({ refunds: rows.map(schemas.adminSourceRefundView) }, page, query);
      },
    ),
    POST: route(
      {
        access: 'ManageWallets',
        recentAuthentication: true,
        summary: 'Refunds wallet money to the card or account that paid a top-up.',
        response: schemas.startedRefundResponse,
        status: 201,
        errors: ['not_found', 'conflict', 'not_configured'],
        requestHeaders: idempotencyKeyHeader,
        body: schemas.createRefundBody,
      },
      async ({ actor, body, request }) => {
        const started = await createRefund(actor, body, parseIdempotencyKey(request));
        deliverAfterResponse();
        return getStartedRefund(started);
      },
    ),
  },
  topup: {
    POST: route(
      {
        access: 'ManageWallets',
        recentAuthentication: true,
        summary: 'Credits a wallet manually.',
        response: manualTopupResponse,
        status: 201,
        errors: ['not_found', 'conflict'],
        requestHeaders: idempotencyKeyHeader,
        body: manualTopupBody,
      },
      async ({ actor, body, request }) =>
        manualTopupView(await createManualTopup(actor, body, parseIdempotencyKey(request))),
    ),
  },
  transactions: {
    GET: route(
      {
        access: 'ManageWallets',
        summary: "Lists all users' transactions, newest first.",
        response: z.array(adminTransactionResponse),
        responseHeaders: cursorHeaders,
        query: adminTransactionsQuery,
        errors: ['rate_limited'],
      },
      async ({ actor, query: { limit, ...query } }) => {
        const { rows, ...page } = await listAllTransactions({ ...query, limit: limit ?? unpaginatedLists.shortRows });
        if (limit === null && page.next !== null) {
          const { cursor: _, ...filter } = query;
          return streamResponse(actor, async ({ on }) => ({
            headers: {
              'Content-Type': 'application/json',
              ...totalHeader(await countFilteredTransactions(filter, on)),
            },
            pieces: jsonArray(streamTransactions(filter, { on, offset: query.offset }), adminTransactionView),
          }));
        }
        return pageResponse({ rows, ...page }, adminTransactionView);
      },
    ),
  },
});
