import { z } from 'zod';
import { announcementAudiences, announcementTypes } from '@/db/enums';
import { versionField } from '@/lib/platform/http/fields';

export const createAnnouncementInput = z.object({
  title: z.string().trim().min(1, 'Enter a title.').max(100, 'The title can have at most 100 characters.'),
  message: z.string().trim().min(1, 'Enter a message.').max(1000, 'The message can have at most 1000 characters.'),
  type: z.enum(announcementTypes, 'Choose a type.'),
  audience: z.enum(announcementAudiences, 'Choose an audience.'),
});
export type CreateAnnouncementInput = z.output<typeof createAnnouncementInput>;

export const updateAnnouncementInput = createAnnouncementInput.extend({
  id: z.string(),
  version: versionField,
});
export type UpdateAnnouncementInput = z.output<typeof updateAnnouncementInput>;

export const deleteAnnouncementInput = updateAnnouncementInput.pick({ id: true, version: true });
export type DeleteAnnouncementInput = z.output<typeof deleteAnnouncementInput>;
