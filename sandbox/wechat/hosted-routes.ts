import { ApiError } from '@/sandbox/http/api-error';
import { canParseUrl } from '@/sandbox/http/can-parse-url';
import { type HttpResponse, html, seeOther } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { Handler, Route } from '@/sandbox/http/router';
import type { WechatGateway } from './gateway';
import { noticePage, payPage } from './hosted-view';
import { closeIfDue, fail, isOpen, pay, payLater } from './outcomes';
import type { TradeRecord } from './records';

/** Time to read the notice before the redirect. */
const secondsBeforeReturn = 4;

/**
 * Paths of the payment page on a phone: opened by h5_url, or by WeChat's app from a scanned code. It returns to
 * `redirect_url` if given; after a scan the phone stays on the page.
 */
export const phonePaths = { h5: '/cgi-bin/mmpayweb-bin/checkmweb', native: '/bizpayurl' } as const;

export function hostedRoutes(gateway: WechatGateway): Route[] {
  return (['h5', 'native'] as const).flatMap((kind): Route[] => {
    const path = phonePaths[kind];
    const on = (run: (trade: TradeRecord, request: GatewayRequest) => Promise<HttpResponse>): Handler =>
      onTrade(gateway, kind, run);
    const decide = (run: (trade: TradeRecord) => ReturnType<typeof pay>, leaves: boolean): Handler =>
      on(async (trade, request) => {
        const outcome = run(trade);
        await gateway.store.save();
        await outcome?.beforeReturn;
        const back = redirectUrl(request);
        return seeOther(outcome && leaves && back ? back : `${path}${request.url.search}`);
      });
    return [
      ['GET', path, on((trade, request) => showTrade(gateway, trade, request))],
      ['POST', `${path}/pay`, decide((trade) => pay(gateway, trade), true)],
      ['POST', `${path}/later`, decide(payLater, true)],
      ['POST', `${path}/fail`, decide(fail, false)],
    ];
  });
}

async function showTrade(gateway: WechatGateway, trade: TradeRecord, request: GatewayRequest): Promise<HttpResponse> {
  if (closeIfDue(trade)) await gateway.store.save();
  const back = redirectUrl(request);
  if (isOpen(trade)) {
    const action = (name: string) => `${phonePaths[trade.kind]}/${name}${request.url.search}`;
    return html(200, payPage(trade, action, back, gateway.consoleOrigin));
  }
  const link = back ? { href: back, label: 'Back to LinkMarket' } : null;
  if (trade.state === 'CLOSED') {
    return html(200, noticePage('This order is closed', 'Nothing was charged. Start again in the shop.', link));
  }
  const text = trade.state === 'USERPAYING' ? 'This payment is in progress.' : 'The payment is complete.';
  const where = back ? 'You are being redirected.' : 'Continue in the shop, on the screen with the code.';
  const page = noticePage(trade.state === 'USERPAYING' ? 'Submitted' : 'Paid', `${text} ${where}`, link);
  return html(200, page, back ? { refresh: `${secondsBeforeReturn}; url=${back}` } : {});
}

function onTrade(
  gateway: WechatGateway,
  kind: TradeRecord['kind'],
  run: (trade: TradeRecord, request: GatewayRequest) => Promise<HttpResponse>,
): Handler {
  return async (request) => {
    try {
      return await run(
        gateway.prepared(request.url.searchParams.get(kind === 'h5' ? 'prepay_id' : 'pr') ?? ''),
        request,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return html(404, noticePage('Order not found', 'This URL does not belong to an order of the sandbox.', null));
    }
  };
}

/** Returns the `redirect_url`; null when it is missing or not an http(s) URL. */
function redirectUrl({ url }: GatewayRequest): string | null {
  const requested = url.searchParams.get('redirect_url') ?? '';
  return canParseUrl(requested) && /^https?:$/.test(new URL(requested).protocol) ? requested : null;
}
