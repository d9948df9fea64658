'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { deliverAfterResponse } from '@/lib/mail/deliver-after-response';
import { batchInput, updateOrders } from '@/lib/orders/batch';
import { listBuyers, listFulfillers } from '@/lib/orders/buyers';

/** Returns the options of the user filter. They load separately because they are as large as the order list. */
export const listBuyersAction = action({ access: 'ManageOrders', input: z.object({}) }, () => listBuyers());

/** Returns the sellers of the filter of who fulfills orders. */
export const listFulfillersAction = action({ access: 'ManageOrders', input: z.object({}) }, () => listFulfillers());

/** Processes or completes the selected orders. */
export const updateOrdersAction = action({ access: 'ManageOrders', input: batchInput }, async (actor, input) => {
  try {
    return await updateOrders(actor, input);
  } finally {
    // Also after a failure: the orders before it were updated.
    deliverAfterResponse();
  }
});
