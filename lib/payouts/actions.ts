'use server';

import { action } from '@/lib/auth/action';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { approvePayouts } from './approve';
import { payoutIdsInput } from './contract';
import { savePayoutMethodInput } from './methods/contract';
import { savePayoutMethod } from './methods/save';
import { payoutRulesInput, savePayoutRules } from './rules';
import { schedulePayoutsInput, setPayoutSchedule } from './schedule';

/** As PUT /api/seller/payout-method; a passkey can replace the password and the code. */
export const savePayoutMethodAction = action(
  { access: 'seller', input: savePayoutMethodInput },
  async (actor, { method, password, code, passkey }): Promise<void> => {
    await savePayoutMethod(actor, method, passkey ? { passkey } : { password, code });
    deliverAfterResponse();
  },
);

export const setPayoutScheduleAction = action(
  { access: 'seller', input: schedulePayoutsInput },
  async (actor, { schedule }): Promise<void> => {
    await setPayoutSchedule(actor, schedule);
  },
);

export const approvePayoutsAction = action(
  { access: 'ManagePayouts', recentAuthentication: true, input: payoutIdsInput },
  approvePayouts,
);

/** Sets the rules of payouts. @returns whether they wait for the approval of a second person */
export const savePayoutRulesAction = action(
  { access: 'ManagePayouts', recentAuthentication: true, input: payoutRulesInput },
  async (actor, input) => ({ isPending: (await savePayoutRules(actor, input)) !== null }),
);
