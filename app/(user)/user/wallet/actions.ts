'use server';

import { z } from 'zod';
import { action } from '@/lib/http/action';
import { cancelTopup } from '@/lib/topups/cancel';
import { topupIdField, topupReturnInput } from '@/lib/topups/schemas';
import { settleReturn } from '@/lib/topups/settle-return';

/** The buyer is back from paying. */
export const settleReturnAction = action({ access: 'session', input: topupReturnInput }, settleReturn);

/** The buyer is back without having paid. */
export const cancelTopupAction = action(
  { access: 'session', input: z.object({ topupId: topupIdField }) },
  (actor, input) => cancelTopup(actor, input.topupId),
);
