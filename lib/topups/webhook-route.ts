import type { NextRequest } from 'next/server';
import { readBytes } from '../http/read-body';
import { route } from '../http/route';
import { receivedAnswer } from '../payments/answers';
import { providerNames } from '../payments/names';
import { handleWebhook } from './handle-webhook';

type Provider = Parameters<typeof handleWebhook>[0];

/** The largest notifications of any provider are a tenth of it. */
const maxBytes = 1024 * 1024;

/** What every provider's address declares: public, but signed. */
export const signedNotification = (provider: Provider) => ({
  access: 'public' as const,
  summary: `Takes ${providerNames[provider]}'s notifications.`,
  errors: ['invalid_input', 'too_large', 'not_configured'] as const,
  proof: 'signature' as const,
});

/** Hands on the bytes of a notification as they came, for the signature is over them. */
export async function takeNotification(
  provider: Provider,
  { request, ip, requestId }: { request: NextRequest; ip: string; requestId: string },
): Promise<void> {
  await handleWebhook(provider, { raw: await readBytes(request, maxBytes), headers: request.headers, ip, requestId });
}

/** The webhook of a provider that reads nothing of the answer but its status. */
export const webhookRoute = (provider: Provider) =>
  route({ ...signedNotification(provider), answer: receivedAnswer }, async (call) => {
    await takeNotification(provider, call);
    return { received: true as const };
  });
