import { readBytes } from '@/lib/http/read-body';
import { route } from '@/lib/http/route';
import { receivedAnswer } from '@/lib/payments/answers';
import { handleWebhook } from '@/lib/topups/handle-webhook';

const maxBytes = 1024 * 1024;

/** Public, but signed: the bytes are read as they came, for the signature is over them. */
export const POST = route(
  {
    access: 'public',
    summary: "Takes PayPal's notifications.",
    answer: receivedAnswer,
    errors: ['invalid_input', 'too_large', 'not_configured'],
    proof: 'signature',
  },
  async ({ request, ip, requestId }) => {
    await handleWebhook('paypal', { raw: await readBytes(request, maxBytes), headers: request.headers, ip, requestId });
    return { received: true as const };
  },
);
