import { NextResponse } from 'next/server';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import * as schemas from '@/lib/payments/reversals/source-refunds/contract';
import { adminSourceRefundView } from '@/lib/payments/reversals/source-refunds/contract';
import { createRefund } from '@/lib/payments/reversals/source-refunds/create';
import { getStartedRefund, listRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';
import { idempotencyKeyHeader, readIdempotencyKey } from '@/lib/platform/http/parse';

export const GET = route(
  {
    access: 'ManageWallets',
    summary: 'Lists the refunds of top-ups to their payment method, newest first.',
    response: schemas.adminSourceRefundsResponse,
    responseHeaders: cursorHeaders,
    query: schemas.adminRefundsQuery,
  },
  async ({ query }) => {
    const { rows, ...page } = await listRefunds(query);
    const { limit, offset } = query;
    const refunds = rows.map(adminSourceRefundView);
    return NextResponse.json({ refunds, total: page.total, limit, offset }, { headers: pageHeaders(page) });
  },
);

export const POST = route(
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
    const started = await createRefund(actor, body, readIdempotencyKey(request));
    deliverAfterResponse();
    return getStartedRefund(started);
  },
);
