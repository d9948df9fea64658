'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { listBuyers, listFulfillers } from '@/lib/orders/buyers';

/** Returns the options of the user filter. They load separately because they are as large as the order list. */
export const listBuyersAction = action({ access: 'ManageOrders', input: z.object({}) }, () => listBuyers());

/** Returns the sellers of the filter of who fulfills orders. */
export const listFulfillersAction = action({ access: 'ManageOrders', input: z.object({}) }, () => listFulfillers());
