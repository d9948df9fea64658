'use server';

import { z } from 'zod';
import { action } from '../auth/action';
import { readBell } from './queries';

/** Opens one's own bell. */
export const readBellAction = action({ access: 'session', input: z.object({}) }, readBell);
