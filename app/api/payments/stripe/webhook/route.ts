import { readBytes } from '@/lib/http/read-body';
import { route } from '@/lib/http/route';
import { receivedAnswer } from '@/lib/payments/answers';
import { handleWebhook } from '@/lib/topups/handle-webhook';

/** Stripe's largest events are a tenth of it. */
const maxBytes = 1024 * 1024;

/** Public, but signed: the bytes are read as they came, for the signature is over them. */
export const POST = route(
  {
    access: 'public',
    summary: "Takes Stripe's notifications.",
    answer: receivedAnswer,
    errors: ['invalid_input', 'too_large', 'not_configured'],
    proof: 'signature',
  },
  async ({ request, ip, requestId }) => {
    await handleWebhook('stripe', { raw: await readBytes(request, maxBytes), headers: request.headers, ip, requestId });
    return { received: true as const };
  },
);
