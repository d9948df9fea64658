'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { topupIdField, topupReturnInput } from '@/lib/payments/top-ups/schemas';
import { cancelTopup, settleReturn } from '@/lib/payments/top-ups/settle-return';

/** The buyer is back from paying. */
export const settleReturnAction = action({ access: 'session', input: topupReturnInput }, settleReturn);

/** The buyer is back without having paid. */
export const cancelTopupAction = action(
  { access: 'session', input: z.object({ topupId: topupIdField }) },
  (actor, input) => cancelTopup(actor, input.topupId),
);
