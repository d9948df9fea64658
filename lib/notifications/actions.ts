'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { getNotifications, markAllNotificationsRead, markNotificationRead } from './queries';

export const readNotificationsAction = action({ access: 'session', input: z.object({}) }, getNotifications);

export const markNotificationReadAction = action(
  { access: 'session', input: z.object({ key: z.string().max(40) }) },
  (actor, { key }) => markNotificationRead(actor, key),
);

export const markAllNotificationsReadAction = action(
  { access: 'session', input: z.object({ upTo: z.iso.datetime() }) },
  (actor, { upTo }) => markAllNotificationsRead(actor, upTo),
);
