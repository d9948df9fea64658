import type { z } from 'zod';
import type { PaymentProviderName } from '../../db/schema/topups';
import { idempotencyKeyHeader, readIdempotencyKey } from '../http/read-idempotency-key';
import { route } from '../http/route';
import { parseMoney } from '../money';
import { providerNames } from '../payments/names';
import { checkTopupAmount } from './amount';
import { createTopup } from './create';
import { canOpenWeChat } from './is-phone';
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
