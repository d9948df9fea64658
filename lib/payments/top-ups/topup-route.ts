import type { z } from 'zod';
import type { PaymentProviderName } from '@/db/schema/topups';
import { route } from '@/lib/auth/route';
import { env } from '@/lib/env';
import { parseMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { getOwnOrigin } from '@/lib/platform/http/origin';
import { idempotencyKeyHeader, parseIdempotencyKey } from '@/lib/platform/http/parse';
import { topupBody } from './contract';
import { createTopup } from './create';
import { requireTopupAmount } from './create-intent';

/**
 * Creates the route that starts a top-up with `provider`.
 * @param toResponseBody wraps the URL of the provider's page in the response field of each provider
 */
export const topupRoute = <Body extends object>(
  provider: PaymentProviderName,
  response: z.ZodType<Body>,
  toResponseBody: (url: string) => Body,
) =>
  route(
    {
      access: 'account:wallet',
      scope: 'wallet:topup',
      summary: `Starts a top-up with ${providerNames[provider]}.`,
      response,
      errors: ['rate_limited', 'provider_failed', 'not_configured', 'conflict'],
      requestHeaders: idempotencyKeyHeader,
      body: topupBody,
    },
    async ({ actor, body: { amount, returnUrl, cancelUrl }, request }) => {
      const key = parseIdempotencyKey(request);
      const amountCents = requireTopupAmount(parseMoney(amount));
      const isMobile = canOpenWeChat(request.headers);
      const { APP_URL } = env();
      const origin = getOwnOrigin(request.headers, APP_URL);
      const input = { provider, amountCents, returnUrl, cancelUrl, origin, isMobile };
      const { url } = await createTopup(actor, input, key);
      // A page of this app, which shows a code to scan.
      const isOwn = url.startsWith(`${APP_URL}/`);
      return toResponseBody(isOwn ? `${origin}${url.slice(APP_URL.length)}` : url);
    },
  );

type RequestHeaders = Pick<Headers, 'get'>;

const phones = /\b(?:Mobile|Android|iPhone|iPad|iPod|HarmonyOS)\b/i;

/** Checks whether the request comes from a phone or tablet, by the browser's headers. */
export function isPhone(headers: RequestHeaders): boolean {
  return headers.get('sec-ch-ua-mobile') === '?1' || phones.test(headers.get('user-agent') ?? '');
}

/** Checks whether the request comes from the browser inside WeChat's app, on a phone or a computer. */
export function isWeChatBrowser(headers: RequestHeaders): boolean {
  return /\bMicroMessenger\b/i.test(headers.get('user-agent') ?? '');
}

/**
 * Checks whether a page can open WeChat's app to pay (H5). Only in a phone's own browser: WeChat Pay refuses H5
 * payments in the browser inside its app.
 */
export function canOpenWeChat(headers: RequestHeaders): boolean {
  return isPhone(headers) && !isWeChatBrowser(headers);
}
