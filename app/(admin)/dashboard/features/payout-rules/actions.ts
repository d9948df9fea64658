'use server';

import { action } from '@/lib/auth/action';
import { payoutRulesInput, savePayoutRules } from '@/lib/payouts/rules';

/** Sets the rules of payouts. @returns whether they wait for the approval of a second person */
export const savePayoutRulesAction = action(
  { access: 'ManagePayouts', recentAuthentication: true, input: payoutRulesInput },
  async (actor, input) => ({ isPending: (await savePayoutRules(actor, input)) !== null }),
);
