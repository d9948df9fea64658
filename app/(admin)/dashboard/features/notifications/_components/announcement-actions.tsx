'use client';

import { useState } from 'react';
import { deleteAnnouncementAction } from '@/app/(admin)/dashboard/features/notifications/actions';
import { EditDeleteMenu } from '@/components/table/record-actions';
import { callAction } from '@/lib/browser/call-action';
import type { AnnouncementView } from '@/lib/notifications/announcements/queries';
import { AnnouncementDialog } from './announcement-dialog';

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
