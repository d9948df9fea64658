'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { EntityDialog, type EntityEdit, fieldText } from '@/components/form/entity-dialog';
import { getFormText, SelectField, TextareaField, TextField } from '@/components/form/fields';
import { EditDeleteMenu } from '@/components/table/record-actions';
import { Button } from '@/components/ui/button';
import { announcementAudiences, announcementTypes } from '@/db/enums';
import { callAction } from '@/lib/browser/api-client';
import {
  createAnnouncementAction,
  deleteAnnouncementAction,
  updateAnnouncementAction,
} from '@/lib/notifications/actions';
import type { AnnouncementView } from '@/lib/notifications/announcements';
import { audienceLabels, typeLabels } from './announcement-labels';

export function AddAnnouncement() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add notification
      </Button>
      <AnnouncementDialog open={open} onOpenChange={setOpen} />
    </>
  );
}

/** Edits or deletes an announcement. */
export function AnnouncementActions({ announcement }: { announcement: AnnouncementView }) {
  const [open, setOpen] = useState(false);
  const { id, version, title } = announcement;
  return (
    <>
      <EditDeleteMenu
        name={title}
        onEdit={() => setOpen(true)}
        question={`Delete the notification “${title}”?`}
        consequence="It’s removed for everyone, including users who haven’t read it."
        confirmLabel="Delete notification"
        deleted={`${title} deleted.`}
        remove={() => callAction(() => deleteAnnouncementAction({ id, version }))}
      />
      <AnnouncementDialog announcement={announcement} open={open} onOpenChange={setOpen} />
    </>
  );
}

type AnnouncementDialogProps = {
  /** The announcement to edit. If omitted, the dialog creates one. */
  announcement?: AnnouncementView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

const labels = { title: 'Title', message: 'Message', type: 'Type', audience: 'Audience' };

const shownTexts = ({ type, audience }: AnnouncementView): Partial<Record<string, string>> => ({
  type: typeLabels[type],
  audience: audienceLabels[audience],
});

function AnnouncementDialog({ announcement, open, onOpenChange }: AnnouncementDialogProps) {
  const save = async ({ data, version }: EntityEdit) => {
    const values = {
      title: getFormText(data, 'title').trim(),
      message: getFormText(data, 'message'),
      type: announcementTypes.find((known) => known === getFormText(data, 'type')) ?? 'info',
      audience: announcementAudiences.find((known) => known === getFormText(data, 'audience')) ?? 'everyone',
    };
    if (announcement && version !== undefined) {
      await callAction(() => updateAnnouncementAction({ ...values, id: announcement.id, version }));
      return `${values.title} saved.`;
    }
    await callAction(() => createAnnouncementAction(values));
    return `${values.title} announced.`;
  };
  return (
    <EntityDialog
      record={announcement ?? null}
      name={announcement?.title}
      noun="notification"
      at={{ open, onOpenChange }}
      store={{ save }}
      labels={labels}
      shownAs={(row, field) => shownTexts(row)[field] ?? fieldText(row, field)}
      title={announcement ? undefined : 'Add notification'}
      submitLabel={announcement ? 'Save notification' : 'Add notification'}
      description={
        announcement
          ? 'Users who have read it aren’t notified again.'
          : 'Appears in their notifications as soon as it’s added.'
      }
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
    </EntityDialog>
  );
}
