'use client';

import { SelectField } from '@/components/form/select-field';
import { TextField } from '@/components/form/text-field';
import { textOf } from '@/components/form/text-of';
import { TextareaField } from '@/components/form/textarea-field';
import { VersionedDialog } from '@/components/form/versioned-dialog';
import { callAction } from '@/lib/browser/call-action';
import { announcementAudiences, announcementTypes } from '@/lib/notifications/announcements/kinds';
import type { AnnouncementView } from '@/lib/notifications/announcements/queries';
import { createAnnouncementAction, updateAnnouncementAction } from '../actions';
import { audienceLabels, typeLabels } from './words';

type AnnouncementDialogProps = {
  /** The one to edit; without it a new one is announced. */
  announcement?: AnnouncementView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

const labels = { title: 'Title', message: 'Message', type: 'Type', audience: 'Told to' };

export function AnnouncementDialog({ announcement, open, onOpenChange }: AnnouncementDialogProps) {
  const save = async (data: FormData) => {
    const values = {
      title: textOf(data, 'title').trim(),
      message: textOf(data, 'message'),
      type: announcementTypes.find((known) => known === textOf(data, 'type')) ?? 'info',
      audience: announcementAudiences.find((known) => known === textOf(data, 'audience')) ?? 'everyone',
    };
    if (announcement) {
      const { id, version } = announcement;
      await callAction(updateAnnouncementAction({ ...values, id, version }));
      return `${values.title} saved.`;
    }
    await callAction(createAnnouncementAction(values));
    return `${values.title} announced.`;
  };
  return (
    <VersionedDialog
      row={announcement}
      noun="notification"
      nameOf={({ title }) => title}
      labels={labels}
      textsOf={({ title, message, type, audience }) => ({
        title,
        message,
        type: typeLabels[type],
        audience: audienceLabels[audience],
      })}
      save={save}
      description={announcement ? 'Who has read it is not told again.' : 'It rings their bells as soon as it is added.'}
      open={open}
      onOpenChange={onOpenChange}
    >
      {(row, errors) => (
        <>
          <TextField
            name="title"
            label={labels.title}
            required
            maxLength={100}
            autoComplete="off"
            defaultValue={row?.title}
            error={errors.title}
          />
          <TextareaField
            name="message"
            label={labels.message}
            required
            rows={4}
            maxLength={1000}
            defaultValue={row?.message}
            error={errors.message}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              name="type"
              label={labels.type}
              options={announcementTypes.map((value) => ({ value, label: typeLabels[value] }))}
              defaultValue={row?.type}
              error={errors.type}
            />
            <SelectField
              name="audience"
              label={labels.audience}
              options={announcementAudiences.map((value) => ({ value, label: audienceLabels[value] }))}
              defaultValue={row?.audience}
              error={errors.audience}
            />
          </div>
        </>
      )}
    </VersionedDialog>
  );
}
