import { idempotencyKeyField, idempotencyKeyHeader } from '@/lib/http/idempotency-key-field';
import { parseInput } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { parseMoney } from '@/lib/money';
import { checkTopupAmount } from '@/lib/topups/amount';
import { paypalTopupAnswer } from '@/lib/topups/answers';
import { createTopup } from '@/lib/topups/create';
import { topupBody } from '@/lib/topups/schemas';

export const POST = route(
  {
    access: 'session',
    summary: 'Starts a top-up by PayPal.',
    answer: paypalTopupAnswer,
    errors: ['rate_limited', 'provider_failed', 'not_configured', 'conflict'],
    requestHeaders: idempotencyKeyHeader,
    body: topupBody,
  },
  async ({ actor, body, request }) => {
    const key = parseInput(idempotencyKeyField, request.headers.get('idempotency-key'));
    const { url } = await createTopup(
      actor,
      {
        provider: 'paypal',
        amountCents: checkTopupAmount(parseMoney(body.amount)),
        returnUrl: body.returnUrl,
        cancelUrl: body.cancelUrl,
      },
      key,
    );
    return { approvalUrl: url };
  },
);
