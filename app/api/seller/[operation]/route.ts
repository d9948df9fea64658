import { z } from 'zod';
import { joinRoutes, route } from '@/lib/auth/route';
import { monthlyStatementQuery } from '@/lib/earnings/statement';
import { monthlyStatementResponse, respondWithStatement } from '@/lib/earnings/statement-formats';
import { earningsResponse, getEarningsSummary } from '@/lib/earnings/summary';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { sellerOrderResponse } from '@/lib/orders/order/schemas';
import { listSellerOrders, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { sellerOrdersQuery } from '@/lib/orders/placements/schemas';
import { payoutResponse, payoutView, requestPayoutBody, sellerPayoutsQuery } from '@/lib/payouts/contract';
import { payoutMethodResponse, savePayoutMethodBody } from '@/lib/payouts/methods/contract';
import { removePayoutMethod, savePayoutMethod } from '@/lib/payouts/methods/save';
import { findPayoutMethod, payoutMethodView } from '@/lib/payouts/methods/show';
import { getSellerPayout, listSellerPayouts } from '@/lib/payouts/queries';
import { requestPayout } from '@/lib/payouts/request';
import { cursorHeaders, pageResponse } from '@/lib/platform/http/list-response';
import { idempotencyKeyHeader, parseIdempotencyKey } from '@/lib/platform/http/parse';
import { createOwnSite } from '@/lib/sites/create';
import { ownSiteBody } from '@/lib/sites/edit-schemas';
import { getSellerRecord, sellerRecordResponse } from '@/lib/sites/record/read';
import { sellerSiteResponse } from '@/lib/sites/responses';
import { respondWithSellerSites, sellerSitesQuery } from '@/lib/sites/seller-queries';
import { sellerSiteView } from '@/lib/sites/seller-view';

const own = { access: 'seller', scope: 'none', response: payoutMethodResponse } as const;

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  earnings: {
    GET: route(
      {
        access: 'seller',
        summary: 'Returns where the money of the seller is: reserved, ripening, available, in transit and paid out.',
        response: earningsResponse,
      },
      ({ actor }) => getEarningsSummary(actor.userId),
    ),
  },
  orders: {
    GET: route(
      {
        access: 'seller',
        summary: "Lists the orders of the seller's sites, newest first.",
        response: z.array(sellerOrderResponse),
        responseHeaders: cursorHeaders,
        query: sellerOrdersQuery,
      },
      async ({ actor, query }) => pageResponse(await listSellerOrders(actor, query), sellerOrderView),
    ),
  },
  payouts: {
    GET: route(
      {
        access: 'seller',
        summary: "Lists the seller's payouts, newest first.",
        response: z.array(payoutResponse),
        responseHeaders: cursorHeaders,
        query: sellerPayoutsQuery,
      },
      async ({ actor, query }) => pageResponse(await listSellerPayouts(actor.userId, query), payoutView),
    ),
    POST: route(
      {
        access: 'seller',
        summary: 'Requests a payout of the available balance, or of a part of it.',
        response: payoutResponse,
        status: 201,
        errors: ['conflict', 'not_configured'],
        requestHeaders: idempotencyKeyHeader,
        body: requestPayoutBody,
      },
      async ({ actor, body, request }) => {
        const { id } = await requestPayout(actor, { ...body, idempotencyKey: parseIdempotencyKey(request) });
        return payoutView(await getSellerPayout(actor.userId, id));
      },
    ),
  },
  'payout-method': {
    GET: route(
      {
        ...own,
        summary: "Returns the seller's payout method with the last four characters of the account, or null values.",
      },
      async ({ actor }) => payoutMethodView(await findPayoutMethod(actor.userId)),
    ),
    PUT: route(
      {
        ...own,
        summary: 'Sets the payout method. No payout is sent to it within the first 72 hours.',
        errors: ['not_configured', 'rate_limited'],
        body: savePayoutMethodBody,
      },
      async ({ actor, body: { method, ...proof } }) => {
        const saved = await savePayoutMethod(actor, method, proof);
        deliverAfterResponse();
        return payoutMethodView(saved);
      },
    ),
    DELETE: route(
      {
        ...own,
        recentAuthentication: true,
        summary: 'Removes the payout method. Approved payouts are still sent to it.',
        errors: ['conflict', 'not_configured', 'rate_limited'],
      },
      async ({ actor }) => {
        await removePayoutMethod(actor);
        deliverAfterResponse();
        return payoutMethodView(undefined);
      },
    ),
  },
  record: {
    GET: route(
      {
        access: 'seller',
        summary: 'Returns how the orders of the seller were fulfilled in the last 12 months.',
        description: 'Orders that staff fulfilled in place of the seller do not count.',
        response: sellerRecordResponse,
      },
      ({ actor }) => getSellerRecord(actor.userId),
    ),
  },
  sites: {
    /** Lists the seller's own sites. With `limit`, returns one page and the total in X-Total-Count. */
    GET: route(
      {
        access: 'seller',
        summary: "Lists the seller's own sites.",
        response: z.array(sellerSiteResponse),
        responseHeaders: cursorHeaders,
        query: sellerSitesQuery,
        errors: ['rate_limited'],
      },
      async ({ actor, query }) => respondWithSellerSites(actor, query),
    ),
    POST: route(
      {
        access: 'seller',
        summary: 'Creates a site of the seller, to be reviewed.',
        response: sellerSiteResponse,
        status: 201,
        errors: ['conflict', 'not_configured'],
        body: ownSiteBody,
      },
      async ({ actor, body }) => sellerSiteView(await createOwnSite(actor, body)),
    ),
  },
  statement: {
    GET: route(
      {
        access: 'seller',
        summary:
          'Returns the entries of one month (UTC) in the order in which they were made, with the balance after each. `account` chooses what can be paid out (`available`, the default) or what is not payable yet (`pending`).',
        response: monthlyStatementResponse,
        query: monthlyStatementQuery,
        errors: ['rate_limited'],
      },
      ({ actor, query }) => respondWithStatement(actor, query),
    ),
  },
});
