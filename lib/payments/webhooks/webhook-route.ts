import type { NextRequest } from 'next/server';
import { route } from '@/lib/auth/route';
import { receivedResponse } from '@/lib/payments/config/responses';
import { providerNames } from '@/lib/payments/providers/names';
import { readBytes } from '@/lib/platform/http/parse';
import { handleWebhook } from './handle-webhook';

type Provider = Parameters<typeof handleWebhook>[0];

/** Ten times the largest events of any provider. */
const maxBytes = 1024 * 1024;

/** Route options shared by all providers: public, authenticated by signature. */
export const signedNotification = (provider: Provider) => ({
  access: 'public' as const,
  summary: `Receives ${providerNames[provider]}'s notifications.`,
  errors: ['invalid_input', 'too_large', 'not_configured'] as const,
  proof: 'signature' as const,
});

/** Handles a request with its raw bytes, because the signature covers them. */
export async function receiveNotification(
  provider: Provider,
  { request, ip, requestId }: { request: NextRequest; ip: string; requestId: string },
): Promise<void> {
  await handleWebhook(provider, { raw: await readBytes(request, maxBytes), headers: request.headers, ip, requestId });
}

/** Webhook route of a provider that reads only the status of the response. */
export const webhookRoute = (provider: Provider) =>
  route({ ...signedNotification(provider), response: receivedResponse }, async (call) => {
    await receiveNotification(provider, call);
    return { received: true as const };
  });
