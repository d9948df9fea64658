'use server';

import { action } from '@/lib/auth/action';
import { requestTwoStepReset, requestTwoStepResetInput } from '@/lib/users/reset-two-step';

/** Requests the reset of a user's second factors. `requestTwoStepReset` allows Admins only. */
export const requestTwoStepResetAction = action(
  { access: 'ManageUsers', recentAuthentication: true, input: requestTwoStepResetInput },
  async (actor, { userId }) => {
    await requestTwoStepReset(actor, userId);
  },
);
