import type { ProviderEvent } from '@/sandbox/deliveries/records';
import type { HttpResponse } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { ProviderName } from '@/sandbox/provider-names';

/** Traffic between the app and a provider's port, without injected faults. */
export type Traffic =
  | { kind: 'call'; provider: ProviderName; request: GatewayRequest; response: HttpResponse }
  | { kind: 'event'; provider: ProviderName; event: ProviderEvent };

/** Observes all traffic; for tests that compare it with the provider's published schemas. */
export type Observe = (traffic: Traffic) => void;
