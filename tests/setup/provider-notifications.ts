import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { PaymentProviderName } from '@/db/schema/topups';
import { deliveryStateSchema, type ProviderEvent } from '@/sandbox/deliveries/records';
import { keysSchema } from '@/sandbox/keys/records';
import { paypalDestination } from '@/sandbox/paypal/sign';
import { stripeDestination } from '@/sandbox/stripe/sign';
import { wechatDestination } from '@/sandbox/wechat/sign';
import { appUrl } from './http-client';

const environment = z
  .object({
    DATA_DIR: z.string(),
    TEST_GATEWAY_URL: z.url(),
    PAYPAL_BASE_URL: z.url(),
    SANDBOX_STRIPE_WEBHOOK_SECRET: z.string(),
  })
  .parse(process.env);

/** The gateway's state: its signing keys, and the notifications it sent to the app. */
const gatewayState = z.object({ keys: keysSchema, deliveries: deliveryStateSchema });
const readGateway = () =>
  gatewayState.parse(JSON.parse(readFileSync(join(environment.DATA_DIR, 'gateway.json'), 'utf8')));

/** Pays at the gateway, which notifies the app. @returns the events of the notification, oldest first */
export async function payAt(provider: PaymentProviderName, reference: string): Promise<ProviderEvent[]> {
  const action = provider === 'paypal' ? 'approve' : 'pay';
  const path = `/controls/${provider}/sessions/${reference}/${action}`;
  const { status } = await fetch(`${environment.TEST_GATEWAY_URL}${path}`, { method: 'POST' });
  if (status !== 200) throw new Error(`The gateway answered ${status} to ${path}.`);
  return readGateway().deliveries.events.filter(
    (event) => event.provider === provider && event.subjectId === reference,
  );
}

/** Changes the behavior of a provider at the gateway, for the tests of every file. */
export async function controlGateway(provider: PaymentProviderName, changes: Record<string, string>): Promise<void> {
  const { status } = await fetch(`${environment.TEST_GATEWAY_URL}/controls/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(changes),
  });
  if (status !== 200) throw new Error(`The gateway answered ${status}.`);
}

/** Sends a notification to the app as its provider does: signed with the provider's key and the current time. */
export function notifyAs(provider: PaymentProviderName, event: ProviderEvent): Promise<Response> {
  const { keys } = readGateway();
  const { url, headers } = {
    stripe: () => stripeDestination(appUrl, environment.SANDBOX_STRIPE_WEBHOOK_SECRET),
    paypal: () => paypalDestination(appUrl, new URL(environment.PAYPAL_BASE_URL).origin, keys.paypal),
    wechat: () => wechatDestination(appUrl, keys.wechat),
  }[provider]();
  return fetch(url, { method: 'POST', headers: headers(event, 'valid'), body: event.body });
}
