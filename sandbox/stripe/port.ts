import type { PortApp } from '@/sandbox/server';
import { apiNotFound, apiRoutes } from './api';
import type { StripeGateway } from './gateway';
import { hostedRoutes } from './hosted-routes';

/** Creates the Stripe port: the API and the hosted page share one origin. */
export function stripePort(gateway: StripeGateway): PortApp {
  return { routes: [...apiRoutes(gateway), ...hostedRoutes(gateway)], notFound: apiNotFound };
}
