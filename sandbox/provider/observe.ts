import type { ProviderEvent } from '../deliveries/records';
import type { Answer } from '../http/reply';
import type { GatewayRequest } from '../http/request';
import type { ProviderName } from './names';

/** What passed between the app and a provider's port. Faults that the controls ask for are not among it. */
export type Traffic =
  | { kind: 'call'; provider: ProviderName; request: GatewayRequest; answer: Answer }
  | { kind: 'event'; provider: ProviderName; event: ProviderEvent };

/** Is shown everything that passes; for tests that compare it with the provider's published documents. */
export type Observe = (traffic: Traffic) => void;
