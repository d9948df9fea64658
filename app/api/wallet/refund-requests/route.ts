import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import {
  refundsQuery,
  requestRefundBody,
  sourceRefundResponse,
  sourceRefundView,
} from '@/lib/payments/reversals/source-refunds/contract';
import { listOwnRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import { requestRefund } from '@/lib/payments/reversals/source-refunds/request';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';
import { idempotencyKeyHeader, readIdempotencyKey } from '@/lib/platform/http/parse';

export const GET = route(
  {
    access: 'session',
    summary: "Lists the refunds of the caller's top-ups to their payment method, newest first.",
    response: z.array(sourceRefundResponse),
    responseHeaders: cursorHeaders,
    query: refundsQuery,
  },
  async ({ actor, query }) => {
    const { rows, ...page } = await listOwnRefunds(actor.userId, query);
    return NextResponse.json(rows.map(sourceRefundView), { headers: pageHeaders(page) });
  },
);

export const POST = route(
  {
    access: 'session',
    scope: 'none',
    summary: 'Requests a refund of a top-up to the card or account that paid it.',
    response: sourceRefundResponse,
    status: 201,
    errors: ['not_found', 'conflict', 'not_configured', 'rate_limited'],
    requestHeaders: idempotencyKeyHeader,
    body: requestRefundBody,
  },
  async ({ actor, body, request }) => {
    const requested = await requestRefund(actor, body, readIdempotencyKey(request));
    deliverAfterResponse();
    return sourceRefundView(requested);
  },
);
