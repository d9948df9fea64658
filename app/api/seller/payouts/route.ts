import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { payoutResponse, payoutView, requestPayoutBody, sellerPayoutsQuery } from '@/lib/payouts/contract';
import { getSellerPayout, listSellerPayouts } from '@/lib/payouts/queries';
import { requestPayout } from '@/lib/payouts/request';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';
import { idempotencyKeyHeader, readIdempotencyKey } from '@/lib/platform/http/parse';

export const GET = route(
  {
    access: 'seller',
    summary: "Lists the seller's payouts, newest first.",
    response: z.array(payoutResponse),
    responseHeaders: cursorHeaders,
    query: sellerPayoutsQuery,
  },
  async ({ actor, query }) => {
    const { rows, ...page } = await listSellerPayouts(actor.userId, query);
    return NextResponse.json(rows.map(payoutView), { headers: pageHeaders(page) });
  },
);

export const POST = route(
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
    const { id } = await requestPayout(actor, { ...body, idempotencyKey: readIdempotencyKey(request) });
    return payoutView(await getSellerPayout(actor.userId, id));
  },
);
