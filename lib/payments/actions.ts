'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { topupIdField, topupReturnInput } from './top-ups/schemas';
import { cancelTopup, settleReturn } from './top-ups/settle-return';

/** Settles a top-up after the buyer returns from the provider. */
export const settleReturnAction = action({ access: 'session', input: topupReturnInput }, settleReturn);

/** Cancels a top-up after the buyer returns without paying. */
export const cancelTopupAction = action(
  { access: 'session', input: z.object({ topupId: topupIdField }) },
  (actor, input) => cancelTopup(actor, input.topupId),
);
