import { joinRoutes, route } from '@/lib/auth/route';
import { env } from '@/lib/env';
import { parseMoney } from '@/lib/money';
import {
  requestTransferBody,
  transferRequestResponse,
  transferRequestView,
} from '@/lib/payments/bank-transfers/contract';
import { requestTransfer } from '@/lib/payments/bank-transfers/request';
import { paypalTopupResponse, wechatTopupResponse } from '@/lib/payments/top-ups/contract';
import { topupRoute } from '@/lib/payments/top-ups/topup-route';
import { getOwnOrigin } from '@/lib/platform/http/origin';
import { idempotencyKeyHeader, parseIdempotencyKey } from '@/lib/platform/http/parse';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  bank: {
    POST: route(
      {
        access: 'account:wallet',
        scope: 'wallet:topup',
        summary: 'Requests a top-up by bank transfer.',
        response: transferRequestResponse,
        errors: ['rate_limited', 'not_configured', 'conflict'],
        requestHeaders: idempotencyKeyHeader,
        body: requestTransferBody,
      },
      async ({ actor, body: { amount, currency }, request }) => {
        const input = { amountCents: parseMoney(amount), currency };
        const requested = await requestTransfer(actor, input, parseIdempotencyKey(request));
        return transferRequestView(requested, getOwnOrigin(request.headers, env().APP_URL));
      },
    ),
  },
  paypal: { POST: topupRoute('paypal', paypalTopupResponse, (url) => ({ approvalUrl: url })) },
  // On desktop, the URL is this app's page with the QR code.
  wechat: { POST: topupRoute('wechat', wechatTopupResponse, (url) => ({ h5_url: url })) },
});
