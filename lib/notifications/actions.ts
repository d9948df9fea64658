'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import {
  createAnnouncement,
  createAnnouncementInput,
  deleteAnnouncement,
  deleteAnnouncementInput,
  updateAnnouncement,
  updateAnnouncementInput,
} from './announcements';
import { getNotifications, markAllNotificationsRead, markNotificationRead } from './notifications';

export const readNotificationsAction = action({ access: 'session', input: z.object({}) }, getNotifications);

export const markNotificationReadAction = action(
  { access: 'session', input: z.object({ key: z.string().max(40) }) },
  (actor, { key }) => markNotificationRead(actor, key),
);

export const markAllNotificationsReadAction = action(
  { access: 'session', input: z.object({ upTo: z.iso.datetime() }) },
  (actor, { upTo }) => markAllNotificationsRead(actor, upTo),
);

const access = 'ManageSettings';

export const createAnnouncementAction = action({ access, input: createAnnouncementInput }, createAnnouncement);
export const updateAnnouncementAction = action({ access, input: updateAnnouncementInput }, updateAnnouncement);
export const deleteAnnouncementAction = action({ access, input: deleteAnnouncementInput }, deleteAnnouncement);
