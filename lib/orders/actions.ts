'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { markRead, markReadInput } from './messages/room';
import { batchInput, updateOrders } from './order/batch';
import { listBuyers, listFulfillers } from './order/staff-queue';

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

/** Marks the messages of a room as read. The side is checked with the room. */
export const markRoomReadAction = action({ access: 'session', input: markReadInput, isBackground: true }, markRead);
