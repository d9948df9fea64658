'use server';

import { saveStaffSessionRules, saveStaffSessionRulesInput } from '@/lib/auth/save-staff-session-rules';
import { saveTwoStepRule, saveTwoStepRuleInput } from '@/lib/auth/save-two-step-rule';
import { action } from '@/lib/http/action';

/** Sets which roles require two-step sign-in. */
export const saveTwoStepRuleAction = action(
  { access: 'ManageSettings', recentAuthentication: true, input: saveTwoStepRuleInput },
  saveTwoStepRule,
);

/** Sets how long sessions of staff last. */
export const saveStaffSessionRulesAction = action(
  { access: 'ManageSettings', recentAuthentication: true, input: saveStaffSessionRulesInput },
  saveStaffSessionRules,
);
