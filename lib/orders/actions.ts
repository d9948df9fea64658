'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { saveReportMailInput, saveReportNoteInput, stopReportMailInput } from './client-reports/contract';
import { saveReportMail, stopReportMail } from './client-reports/monthly-mail';
import { saveReportNote } from './client-reports/reports';
import { markRead, markReadInput } from './messages/room';
import { batchInput, updateOrders } from './order/batch';
import { listBuyers, listFulfillers } from './order/staff-queue';
import { getOutlook, outlookInput } from './requests/outlook';

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
export const markRoomReadAction = action(
  { access: 'account:orders', input: markReadInput, isBackground: true },
  markRead,
);

/** Saves the reference and the note of an order for the client reports of its project. */
export const saveReportNoteAction = action({ access: 'account:orders', input: saveReportNoteInput }, saveReportNote);

/** Turns on or changes the monthly client report of a project. */
export const saveReportMailAction = action({ access: 'account:orders', input: saveReportMailInput }, saveReportMail);

export const stopReportMailAction = action({ access: 'account:orders', input: stopReportMailInput }, stopReportMail);

/** Tells what will happen to an order when it is sent. */
export const getOutlookAction = action(
  { access: 'account:orders', input: outlookInput, isBackground: true },
  getOutlook,
);
