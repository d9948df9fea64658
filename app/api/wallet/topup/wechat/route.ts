import { idempotencyKeyField, idempotencyKeyHeader } from '@/lib/http/idempotency-key-field';
import { parseInput } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { parseMoney } from '@/lib/money';
import { checkTopupAmount } from '@/lib/topups/amount';
import { wechatTopupAnswer } from '@/lib/topups/answers';
import { createTopup } from '@/lib/topups/create';
import { isPhone } from '@/lib/topups/is-phone';
import { topupBody } from '@/lib/topups/schemas';

/** On a desktop the address is our own page with the code to scan. */
export const POST = route(
  {
    access: 'session',
    summary: 'Starts a top-up by WeChat Pay.',
    answer: wechatTopupAnswer,
    errors: ['rate_limited', 'provider_failed', 'not_configured', 'conflict'],
    requestHeaders: idempotencyKeyHeader,
    body: topupBody,
  },
  async ({ actor, body, request }) => {
    const key = parseInput(idempotencyKeyField, request.headers.get('idempotency-key'));
    const { url } = await createTopup(
      actor,
      {
        provider: 'wechat',
        amountCents: checkTopupAmount(parseMoney(body.amount)),
        returnUrl: body.returnUrl,
        cancelUrl: body.cancelUrl,
        isMobile: isPhone(request.headers),
      },
      key,
    );
    return { h5_url: url };
  },
);
