'use server';

import { action } from '@/lib/auth/action';
import { requestTwoStepReset, requestTwoStepResetInput } from '@/lib/users/reset-two-step';

/** Asks for a reset of a person's lost second factor. The verb admits Admins only. */
export const requestTwoStepResetAction = action(
  { access: 'ManageUsers', recentAuthentication: true, input: requestTwoStepResetInput },
  async (actor, { userId }) => {
    await requestTwoStepReset(actor, userId);
  },
);
