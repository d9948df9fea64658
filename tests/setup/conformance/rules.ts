import type { ProviderName } from '@/sandbox/provider-names';
import { payPalRules } from './paypal';
import type { Rules } from './provider-rules';
import { stripeRules } from './stripe-rules';
import { weChatRules } from './wechat';

/** The rules of each provider, derived from its published documents in this folder. */
export const rulesOf: Readonly<Record<ProviderName, Rules>> = {
  stripe: stripeRules,
  paypal: payPalRules,
  wechat: weChatRules,
};
