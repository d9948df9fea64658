import type { ProviderName } from '../../../sandbox/provider/names';
import type { Traffic } from '../../../sandbox/provider/observe';
import { payPalRules } from './paypal';
import { stripeRules } from './stripe-rules';
import { weChatRules } from './wechat';

type Call = Extract<Traffic, { kind: 'call' }>;
type Event = Extract<Traffic, { kind: 'event' }>;

/**
 * What a provider publishes about its API, as closed schemas: a property it does not know, a wrong type and a missing
 * required property are findings. Each finding is one line that names the property.
 */
export type Rules = {
  /** A request that our code made and the sandbox's answer to it. */
  call?(call: Call): string[];
  /** An event that the sandbox sent, before it is signed. */
  event?(event: Event): string[];
};

/** The rules of each provider: beside this file, from the provider's published documents. */
export const rulesOf: Readonly<Record<ProviderName, Rules>> = {
  stripe: stripeRules,
  paypal: payPalRules,
  wechat: weChatRules,
};
