'use server';

import { createAnnouncement } from '@/lib/announcements/create';
import { deleteAnnouncement } from '@/lib/announcements/delete';
import { createAnnouncementInput, deleteAnnouncementInput, updateAnnouncementInput } from '@/lib/announcements/schemas';
import { updateAnnouncement } from '@/lib/announcements/update';
import { action } from '@/lib/http/action';

const access = 'ManageSettings';

export const createAnnouncementAction = action({ access, input: createAnnouncementInput }, createAnnouncement);
export const updateAnnouncementAction = action({ access, input: updateAnnouncementInput }, updateAnnouncement);
export const deleteAnnouncementAction = action({ access, input: deleteAnnouncementInput }, deleteAnnouncement);
