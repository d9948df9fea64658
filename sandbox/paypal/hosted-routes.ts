import { ApiError } from '@/sandbox/http/api-error';
import { type HttpResponse, html, seeOther } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { Handler, Route } from '@/sandbox/http/router';
import type { PayPalGateway } from './gateway';
import { approvalPage, noticePage } from './hosted-view';
import { approvalUrl } from './order-object';
import { approve, isOpen, voidIfDue } from './outcomes';
import type { CaptureOutcome, OrderRecord } from './records';

/** Time to read the notice before the redirect. */
const secondsBeforeReturn = 4;

/** The outcome of the capture for each button. */
const buttons: readonly [name: string, capture: CaptureOutcome][] = [
  ['pay', { status: 'completed' }],
  ['pending', { status: 'pending' }],
  ['decline', { status: 'refused', issue: 'INSTRUMENT_DECLINED', keepsApproval: false, times: null }],
];

/** Declares the routes of the approval page: plain forms, no script. */
export function hostedRoutes(gateway: PayPalGateway): Route[] {
  return [
    ['GET', '/checkoutnow', onOrder(gateway, ({ url }) => url.searchParams.get('token'), showOrder)],
    ...buttons.map(
      ([name, capture]): Route => [
        'POST',
        `/checkoutnow/:id/${name}`,
        onOrder(
          gateway,
          ({ params }) => params.id ?? null,
          async (order) => {
            const outcome = approve(gateway, order, capture);
            await gateway.store.save();
            if (!outcome) return seeOther(approvalUrl(order, ''));
            await outcome.beforeReturn;
            return seeOther(returnUrl(order));
          },
        ),
      ],
    ),
  ];

  async function showOrder(order: OrderRecord): Promise<HttpResponse> {
    if (voidIfDue(order)) await gateway.store.save();
    if (isOpen(order)) return html(200, approvalPage(order, cancelUrl(order), gateway.consoleOrigin));
    if (order.status === 'VOIDED') {
      const page = noticePage('This payment is closed', 'Nothing was charged. Start again in the shop.', {
        href: cancelUrl(order),
        label: 'Back to LinkMarket',
      });
      return html(200, page);
    }
    const back = { href: returnUrl(order), label: 'Back to LinkMarket' };
    const page = noticePage('Already approved', 'You already approved this payment. You are being redirected.', back);
    return html(200, page, { refresh: `${secondsBeforeReturn}; url=${back.href}` });
  }
}

function onOrder(
  gateway: PayPalGateway,
  idOf: (request: GatewayRequest) => string | null,
  run: (order: OrderRecord) => Promise<HttpResponse>,
): Handler {
  return async (request) => {
    try {
      return await run(gateway.order(idOf(request) ?? ''));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return html(404, noticePage('Payment not found', 'This URL does not belong to an order of the sandbox.', null));
    }
  };
}

function returnUrl(order: OrderRecord): string {
  const url = new URL(order.returnUrl);
  url.searchParams.set('token', order.id);
  url.searchParams.set('PayerID', order.payerId);
  return url.href;
}

function cancelUrl(order: OrderRecord): string {
  const url = new URL(order.cancelUrl);
  url.searchParams.set('token', order.id);
  return url.href;
}
