import type { NextRequest } from 'next/server';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { receivedResponse } from '@/lib/payments/config/contract';
import { providerNames } from '@/lib/payments/providers/names';
import { openProviderInAllModes } from '@/lib/payments/providers/open-provider';
import { readBytes } from '@/lib/platform/http/parse';
import { handleEvent } from './process-event';

/** Ten times the largest events of any provider. */
const maxBytes = 1024 * 1024;

/** Returns the route options shared by all providers: public, authenticated by signature. */
export const signedNotification = (provider: PaymentProviderName) => ({
  access: 'public' as const,
  summary: `Receives ${providerNames[provider]}'s notifications.`,
  errors: ['invalid_input', 'too_large', 'not_configured'] as const,
  proof: 'signature' as const,
});

/** Handles a request with its raw bytes, because the signature covers them. */
export async function receiveNotification(
  provider: PaymentProviderName,
  { request, ip, requestId }: { request: NextRequest; ip: string; requestId: string },
): Promise<void> {
  await handleWebhook(provider, { raw: await readBytes(request, maxBytes), headers: request.headers, ip, requestId });
}

/** Creates the webhook route of a provider that reads only the status of the response. */
export const webhookRoute = (provider: PaymentProviderName) =>
  route({ ...signedNotification(provider), response: receivedResponse }, async (call) => {
    await receiveNotification(provider, call);
    return { received: true as const };
  });

type Notification = { raw: Buffer; headers: Pick<Headers, 'get'>; ip: string; requestId: string };

/**
 * Handles a webhook event: verifies its signature, stores it once, and processes it. An event that was processed before
 * is only acknowledged; one whose processing failed is processed again.
 * @throws AppError not_configured (503), or invalid_input (400) for an invalid or expired signature
 * @throws Error (500) when processing fails, so that the provider repeats the event; retry-notifications.ts also
 * retries it
 */
export async function handleWebhook(name: PaymentProviderName, notification: Notification): Promise<void> {
  const { provider, event } = await verifyEvent(name, notification);
  const { ip, requestId } = notification;
  await handleEvent(systemActor(`${providerNames[name]} webhook`, 'webhook', { ip, requestId }), provider, event);
}

/**
 * Returns the event, and the provider in the mode whose secret verified it. In a mode whose secrets cannot be decrypted
 * no event is verified: the provider repeats those until an admin restores the key.
 */
async function verifyEvent(name: PaymentProviderName, { raw, headers }: Notification) {
  const opened = await openProviderInAllModes(name);
  if (opened.length === 0) throw new AppError('not_configured', `${providerNames[name]} is not set up.`);
  const failures: unknown[] = [];
  for (const { mode, provider } of opened) {
    try {
      if (provider === 'unreadable') throw unreadableError(name, mode);
      const event = await provider.parseWebhook(raw, headers);
      if (event) return { provider, event };
    } catch (thrown) {
      // A failure in one mode must not prevent another mode from verifying the event.
      failures.push(thrown);
    }
  }
  // The signature could not be checked, so the provider should send the event again.
  if (failures.length > 0) throw failures[0];
  throw new AppError('invalid_input', 'The signature of this notification is invalid.');
}

const unreadableError = (name: PaymentProviderName, mode: ProviderMode) =>
  new AppError('not_configured', `The secrets of ${providerNames[name]} in ${mode} mode cannot be decrypted.`);
