'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { listBuyers } from '@/lib/orders/buyers';

/** Returns the options of the user filter. They load separately because they are as large as the order list. */
export const listBuyersAction = action({ access: 'ManageOrders', input: z.object({}) }, () => listBuyers());
