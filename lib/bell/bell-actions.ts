'use server';

import { z } from 'zod';
import { action } from '../http/action';
import { readBell } from './read-bell';

/** Opens one's own bell. */
export const readBellAction = action({ access: 'session', input: z.object({}) }, readBell);
