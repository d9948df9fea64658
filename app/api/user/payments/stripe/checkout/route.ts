import { route } from '@/lib/http/route';
import { parseMoney } from '@/lib/money';
import { checkTopupAmount } from '@/lib/topups/amount';
import { stripeTopupAnswer } from '@/lib/topups/answers';
import { createTopup } from '@/lib/topups/create';
import { topupBody } from '@/lib/topups/schemas';

export const POST = route(
  {
    access: 'session',
    summary: 'Starts a top-up by card.',
    answer: stripeTopupAnswer,
    errors: ['rate_limited', 'provider_failed', 'not_configured'],
    body: topupBody,
  },
  async ({ actor, body }) => {
    const { url } = await createTopup(actor, {
      provider: 'stripe',
      amountCents: checkTopupAmount(parseMoney(body.amount)),
      returnUrl: body.returnUrl,
    });
    return { url };
  },
);
