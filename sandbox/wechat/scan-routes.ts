import { z } from 'zod';
import { ApiError } from '@/sandbox/http/api-error';
import { html, json, seeOther } from '@/sandbox/http/reply';
import { readFields } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';
import { scanPage } from '@/sandbox/pages/scan-page';
import { codeUrl } from './api';
import type { WechatGateway } from './gateway';
import { phonePaths } from './hosted-routes';
import { isOpen, pay } from './outcomes';

const scanned = z.object({ code_url: z.string() });

/** Simulates scanning a code: a page for users, one request for tests. */
export function scanRoutes(gateway: WechatGateway): Route[] {
  return [
    [
      'GET',
      '/scan',
      ({ url }) => {
        const input = url.searchParams.get('code_url');
        const prepayId = input === null ? null : parsePrepayId(input);
        if (prepayId !== null && gateway.state.trades.some((trade) => trade.prepayId === prepayId)) {
          return seeOther(`${gateway.origin}${phonePaths.native}?pr=${prepayId}`);
        }
        const open = gateway.state.trades.filter((trade) => trade.kind === 'native' && isOpen(trade)).reverse();
        const codes = open.map((trade) => ({
          code: codeUrl(trade),
          description: trade.description,
          amount: trade.amount,
          currency: trade.currency,
        }));
        return html(input === null ? 200 : 404, scanPage(codes, input));
      },
    ],
    [
      'POST',
      '/controls/wechat/scan',
      async (request) => {
        const parsed = scanned.safeParse(readFields(request));
        if (!parsed.success) return json(400, { error: { message: z.prettifyError(parsed.error) } });
        try {
          const trade = gateway.prepared(parsePrepayId(parsed.data.code_url) ?? '');
          const outcome = pay(gateway, trade);
          await gateway.store.save();
          if (!outcome) return json(409, { error: { message: `The order is ${trade.state}` } });
          await outcome.beforeReturn;
          return json(200, { out_trade_no: trade.outTradeNo, event: outcome.eventIds[0] ?? null });
        } catch (error) {
          if (error instanceof ApiError) return json(error.status, { error: { message: error.message } });
          throw error;
        }
      },
    ],
  ];
}

/** Returns null for a text that is not a WeChat Pay code. */
function parsePrepayId(code: string): string | null {
  return /^weixin:\/\/wxpay\/bizpayurl\?pr=(\w+)$/.exec(code.trim())?.[1] ?? null;
}
