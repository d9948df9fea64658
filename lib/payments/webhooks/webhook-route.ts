import type { NextRequest } from 'next/server';
import type { PaymentProviderName } from '@/db/schema/topups';
import { systemActor } from '../../access/actor';
import { route } from '../../auth/route';
import { AppError } from '../../errors';
import { readBytes } from '../../platform/http/read-body';
import { receivedAnswer } from '../config/answers';
import { providerNames } from '../providers/names';
import { openProviderInAllModes } from '../providers/open-provider';
import type { ProviderEvent } from '../providers/provider';
import { takeEvent } from './process-event';

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

type Notification = { raw: Buffer; headers: Pick<Headers, 'get'>; ip: string; requestId: string };

/**
 * Takes a webhook event: verifies its signature, stores it once, and processes it. An event that was processed before
 * is only acknowledged; one that was stored and failed is processed again.
 * @throws AppError not_configured (503), or invalid_input (400) for a signature that is wrong or too old
 * @throws Error (500) when processing failed, so that the provider sends it again; retry-notifications.ts tries as well
 */
export async function handleWebhook(provider: PaymentProviderName, notification: Notification): Promise<void> {
  const event = await readEvent(provider, notification);
  const { ip, requestId } = notification;
  await takeEvent(systemActor(`${providerNames[provider]} webhook`, 'webhook', { ip, requestId }), provider, event);
}

/** The secret that fits tells the mode it was sent for. */
async function readEvent(provider: PaymentProviderName, { raw, headers }: Notification): Promise<ProviderEvent> {
  const opened = await openProviderInAllModes(provider);
  if (opened.length === 0) throw new AppError('not_configured', `${providerNames[provider]} is not set up here.`);
  const failures: unknown[] = [];
  for (const one of opened) {
    try {
      const event = await one.parseWebhook(raw, headers);
      if (event) return event;
    } catch (thrown) {
      // One mode's broken keys or silent provider must not hide that another mode's secret fits.
      failures.push(thrown);
    }
  }
  // Not known to be wrong: the provider shall send it again.
  if (failures.length > 0) throw failures[0];
  throw new AppError('invalid_input', 'The signature of this notification is not valid.');
}
