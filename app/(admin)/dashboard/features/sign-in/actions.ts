'use server';

import { action } from '@/lib/auth/action';
import { saveStaffSessionRules, saveStaffSessionRulesInput } from '@/lib/auth/staff-session-rules';
import { saveTwoStepRule, saveTwoStepRuleInput } from '@/lib/auth/two-step-rule';

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
