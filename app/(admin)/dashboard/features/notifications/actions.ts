'use server';

import { action } from '@/lib/auth/action';
import { createAnnouncement } from '@/lib/notifications/announcements/create';
import { deleteAnnouncement } from '@/lib/notifications/announcements/delete';
import {
  createAnnouncementInput,
  deleteAnnouncementInput,
  updateAnnouncementInput,
} from '@/lib/notifications/announcements/schemas';
import { updateAnnouncement } from '@/lib/notifications/announcements/update';

const access = 'ManageSettings';

export const createAnnouncementAction = action({ access, input: createAnnouncementInput }, createAnnouncement);
export const updateAnnouncementAction = action({ access, input: updateAnnouncementInput }, updateAnnouncement);
export const deleteAnnouncementAction = action({ access, input: deleteAnnouncementInput }, deleteAnnouncement);
