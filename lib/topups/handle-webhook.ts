import type { PaymentProviderName } from '../../db/schema/topups';
import { systemActor } from '../auth/actor';
import { AppError } from '../errors';
import { providerNames } from '../payments/names';
import { openProviderInAllModes } from '../payments/open-provider';
import type { ProviderEvent } from '../payments/provider';
import { takeEvent } from './take-event';

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
