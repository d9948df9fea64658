import type { PortApp } from '@/sandbox/server';
import { apiNotFound, apiRoutes } from './api';
import type { PayPalGateway } from './gateway';
import { hostedRoutes } from './hosted-routes';

/** Creates the PayPal port: the API, the approval page and the webhook certificate share one origin. */
export function paypalPort(gateway: PayPalGateway): PortApp {
  return { routes: [...apiRoutes(gateway), ...hostedRoutes(gateway)], notFound: apiNotFound };
}
