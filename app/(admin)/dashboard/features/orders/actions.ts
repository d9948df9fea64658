'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { listBuyers } from '@/lib/orders/queries';

/** The choices of the filter by user, for when somebody opens it: they weigh as much as the list. */
export const listBuyersAction = action({ access: 'ManageOrders', input: z.object({}) }, () => listBuyers());
