'use server';

import { z } from 'zod';
import { action } from '../auth/action';
import { markNotificationsRead } from './queries';

/** Marks the actor's notifications as read. */
export const markNotificationsReadAction = action({ access: 'session', input: z.object({}) }, markNotificationsRead);
