import { readBytes } from '@/lib/http/read-body';
import { route } from '@/lib/http/route';
import { handleWebhook } from '@/lib/topups/handle-webhook';

const maxBytes = 1024 * 1024;

/** Public, but signed: the bytes are read as they came, for the signature is over them. */
export const POST = route({ access: 'public' }, async ({ request, ip, requestId }) => {
  await handleWebhook('paypal', { raw: await readBytes(request, maxBytes), headers: request.headers, ip, requestId });
  return { received: true };
});
