'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { createAnnouncement } from './announcements/create';
import { deleteAnnouncement } from './announcements/delete';
import { createAnnouncementInput, deleteAnnouncementInput, updateAnnouncementInput } from './announcements/schemas';
import { updateAnnouncement } from './announcements/update';
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

const access = 'ManageSettings';

export const createAnnouncementAction = action({ access, input: createAnnouncementInput }, createAnnouncement);
export const updateAnnouncementAction = action({ access, input: updateAnnouncementInput }, updateAnnouncement);
export const deleteAnnouncementAction = action({ access, input: deleteAnnouncementInput }, deleteAnnouncement);
