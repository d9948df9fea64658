'use server';

import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { action } from './action';
import { registerBody } from './contract';
import { register } from './register';
import { saveStaffSessionRules, saveStaffSessionRulesInput } from './staff-session-rules';
import { saveTwoStepRule, saveTwoStepRuleInput } from './two-step';

/**
 * Registers a seller. An action because the API has no endpoint for it; otherwise identical to customer registration.
 */
export const registerSellerAction = action(
  { access: 'public', input: registerBody },
  async (_, input, { ip, requestId }) => {
    await consumeLimit('register', { account: input.email, address: ip });
    await register(systemActor(systemActors.registration, 'web', { ip, requestId }), 'Seller', input);
    deliverAfterResponse();
  },
);

/** Sets the roles that require two-step sign-in. */
export const saveTwoStepRuleAction = action(
  { access: 'ManageSettings', recentAuthentication: true, input: saveTwoStepRuleInput },
  saveTwoStepRule,
);

/** Sets the lifetime of staff sessions. */
export const saveStaffSessionRulesAction = action(
  { access: 'ManageSettings', recentAuthentication: true, input: saveStaffSessionRulesInput },
  saveStaffSessionRules,
);
