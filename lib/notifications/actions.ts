'use server';

import { z } from 'zod';
import { action } from '../auth/action';
import { readBell } from './queries';

/** Marks the actor's notifications as read. */
export const readBellAction = action({ access: 'session', input: z.object({}) }, readBell);
