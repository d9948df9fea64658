'use server';

import { action } from '@/lib/auth/action';
import { approvePayouts } from '@/lib/payouts/approve';
import { payoutIdsInput } from '@/lib/payouts/schemas';

/** Approves the selected payouts. */
export const approvePayoutsAction = action(
  { access: 'ManagePayouts', recentAuthentication: true, input: payoutIdsInput },
  approvePayouts,
);
