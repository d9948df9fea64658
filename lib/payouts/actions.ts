'use server';

import { action } from '@/lib/auth/action';
import { deliverAfterResponse } from '@/lib/mail/deliver-after-response';
import { savePayoutMethod } from './methods/save';
import { savePayoutMethodInput } from './methods/schemas';
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
