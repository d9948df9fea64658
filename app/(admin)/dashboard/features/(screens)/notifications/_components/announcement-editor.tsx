'use client';

import { ActionEditor } from '@/components/form/action-editor';
import { fieldText } from '@/components/form/entity-dialog';
import { getFormText } from '@/components/form/fields';
import { announcementAudiences, announcementTypes } from '@/db/enums';
import {
  createAnnouncementAction,
  deleteAnnouncementAction,
  updateAnnouncementAction,
} from '@/lib/notifications/actions';
import type { AnnouncementView } from '@/lib/notifications/announcements';
import { audienceLabels, typeLabels } from './announcement-labels';

const shownTexts = ({ type, audience }: AnnouncementView): Partial<Record<string, string>> => ({
  type: typeLabels[type],
  audience: audienceLabels[audience],
});

/** Edits or deletes an announcement. Null: adds one. */
export function AnnouncementActions({ announcement }: { announcement: AnnouncementView | null }) {
  return (
    <ActionEditor
      record={announcement}
      noun="notification"
      nameField="title"
      consequence="It’s removed for everyone, including users who haven’t read it."
      added="announced"
      valuesOf={(data) => ({
        title: getFormText(data, 'title').trim(),
        message: getFormText(data, 'message'),
        type: announcementTypes.find((known) => known === getFormText(data, 'type')) ?? 'info',
        audience: announcementAudiences.find((known) => known === getFormText(data, 'audience')) ?? 'everyone',
      })}
      create={createAnnouncementAction}
      update={updateAnnouncementAction}
      remove={deleteAnnouncementAction}
      shownAs={(row, field) => shownTexts(row)[field] ?? fieldText(row, field)}
      description={
        announcement
          ? 'Users who have read it aren’t notified again.'
          : 'Appears in their notifications as soon as it’s added.'
      }
      fields={() => [
        { name: 'title', label: 'Title', required: true, maxLength: 100 },
        { name: 'message', label: 'Message', required: true, rows: 4, maxLength: 1000 },
        {
          columns: 'sm:grid-cols-2',
          fields: [
            { name: 'type', label: 'Type', options: typeLabels },
            { name: 'audience', label: 'Audience', options: audienceLabels },
          ],
        },
      ]}
    />
  );
}
