import { z } from 'zod';
import { joinRoutes, route } from '@/lib/auth/route';
import { getWalletBalance } from '@/lib/ledger/balance';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import {
  refundsQuery,
  requestRefundBody,
  sourceRefundResponse,
  sourceRefundView,
} from '@/lib/payments/reversals/source-refunds/contract';
import { listOwnRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import { requestRefund } from '@/lib/payments/reversals/source-refunds/request';
import { idCursorField, pageQuery } from '@/lib/platform/http/fields';
import { cursorHeaders, pageResponse } from '@/lib/platform/http/list-response';
import { idempotencyKeyHeader, parseIdempotencyKey } from '@/lib/platform/http/parse';
import {
  walletBalanceResponse,
  walletBalanceView,
  walletTransactionResponse,
  walletTransactionView,
} from '@/lib/wallet/contract';
import { listWalletTransactions } from '@/lib/wallet/queries';

const query = pageQuery(100, 1000).extend({ q: z.string().max(200).optional(), cursor: idCursorField });

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  balance: {
    GET: route(
      { access: 'account:balance', summary: "Returns the caller's balance.", response: walletBalanceResponse },
      async ({ actor }) => walletBalanceView(await getWalletBalance(actor.accountId)),
    ),
  },
  transactions: {
    /** Lists the caller's transactions, newest first. */
    GET: route(
      {
        access: 'account:wallet',
        summary: "Lists the caller's transactions, newest first.",
        response: z.array(walletTransactionResponse),
        responseHeaders: cursorHeaders,
        query,
      },
      async ({ actor, query }) =>
        pageResponse(await listWalletTransactions(actor.accountId, query), walletTransactionView),
    ),
  },
  'refund-requests': {
    GET: route(
      {
        access: 'account:wallet',
        summary: "Lists the refunds of the caller's top-ups to their payment method, newest first.",
        response: z.array(sourceRefundResponse),
        responseHeaders: cursorHeaders,
        query: refundsQuery,
      },
      async ({ actor, query }) => pageResponse(await listOwnRefunds(actor.accountId, query), sourceRefundView),
    ),
    POST: route(
      {
        access: 'account:wallet',
        scope: 'none',
        summary: 'Requests a refund of a top-up to the card or account that paid it.',
        response: sourceRefundResponse,
        status: 201,
        errors: ['not_found', 'conflict', 'not_configured', 'rate_limited'],
        requestHeaders: idempotencyKeyHeader,
        body: requestRefundBody,
      },
      async ({ actor, body, request }) => {
        const requested = await requestRefund(actor, body, parseIdempotencyKey(request));
        deliverAfterResponse();
        return sourceRefundView(requested);
      },
    ),
  },
});
