import type { z } from 'zod';
import type { PaymentProviderName } from '@/db/schema/topups';
import { route } from '../../auth/route';
import { parseMoney } from '../../money';
import { idempotencyKeyHeader, readIdempotencyKey } from '../../platform/http/read-body';
import { providerNames } from '../providers/names';
import { createTopup } from './create';
import { checkTopupAmount } from './quote';

import { topupBody } from './schemas';

/**
 * The address that starts a top-up by `provider`.
 * @param answerOf names the provider's page as the contract does, which is another name for each
 */
export const topupRoute = <Answer extends object>(
  provider: PaymentProviderName,
  answer: z.ZodType<Answer>,
  answerOf: (url: string) => Answer,
) =>
  route(
    {
      access: 'session',
      summary: `Starts a top-up by ${providerNames[provider]}.`,
      answer,
      errors: ['rate_limited', 'provider_failed', 'not_configured', 'conflict'],
      requestHeaders: idempotencyKeyHeader,
      body: topupBody,
    },
    async ({ actor, body: { amount, returnUrl, cancelUrl }, request }) => {
      const key = readIdempotencyKey(request);
      const amountCents = checkTopupAmount(parseMoney(amount));
      const isMobile = canOpenWeChat(request.headers);
      const { url } = await createTopup(actor, { provider, amountCents, returnUrl, cancelUrl, isMobile }, key);
      return answerOf(url);
    },
  );

type RequestHeaders = Pick<Headers, 'get'>;

const phones = /\b(?:Mobile|Android|iPhone|iPad|iPod|HarmonyOS)\b/i;

/** Does this request come from a phone or tablet? By what the browser says of itself. */
export function isPhone(headers: RequestHeaders): boolean {
  return headers.get('sec-ch-ua-mobile') === '?1' || phones.test(headers.get('user-agent') ?? '');
}

/** Does this request come from the browser inside of WeChat's app, on a phone or a computer? */
export function isWeChatBrowser(headers: RequestHeaders): boolean {
  return /\bMicroMessenger\b/i.test(headers.get('user-agent') ?? '');
}

/**
 * Can a page here open WeChat's app to pay (H5)? Only in the browser of a phone: WeChat Pay refuses H5 payments in the
 * browser inside of its app.
 */
export function canOpenWeChat(headers: RequestHeaders): boolean {
  return isPhone(headers) && !isWeChatBrowser(headers);
}
