import type { WebhookQueue } from '@/sandbox/deliveries/webhook-queue';
import type { ProviderName } from '@/sandbox/provider-names';
import type { StateStore } from '@/sandbox/state';
import { type Controls, defaultControls } from './controls';
import type { Observe } from './observe';

/** Dependencies of a provider's port. */
export type GatewayContext = {
  store: StateStore;
  webhookQueue: WebhookQueue;
  /** Origin of the provider's port. */
  origin: string;
  /** Origin of the inbox and the controls. */
  consoleOrigin: string;
  observe: Observe;
};

/** State shared by the API, the hosted page and the controls of one provider. */
export abstract class ProviderGateway {
  /** Not stored, so that a fault set by a test does not affect the next run. */
  controls: Controls = defaultControls();
  readonly store: StateStore;
  readonly webhookQueue: WebhookQueue;
  readonly origin: string;
  readonly consoleOrigin: string;
  readonly observe: Observe;

  constructor(
    readonly name: ProviderName,
    { store, webhookQueue, origin, consoleOrigin, observe }: GatewayContext,
  ) {
    this.store = store;
    this.webhookQueue = webhookQueue;
    this.origin = origin;
    this.consoleOrigin = consoleOrigin;
    this.observe = observe;
  }
}
