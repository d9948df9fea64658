'use server';

import { z } from 'zod';
import { readBell } from '@/lib/bell/read-bell';
import { action } from '@/lib/http/action';

/** Opens the seller's bell. */
export const readBellAction = action({ access: 'seller', input: z.object({}) }, readBell);
