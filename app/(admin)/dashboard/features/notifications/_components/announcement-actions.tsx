'use client';

import { EditDeleteMenu } from '@/components/table/row-actions';
import { lazyPart } from '@/components/ui/lazy-part';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';
import type { AnnouncementView } from '@/lib/announcements/queries';
import { callAction } from '@/lib/http/call-action';
import { deleteAnnouncementAction } from '../actions';

const loadDialog = () => import('./announcement-dialog');
const AnnouncementDialog = lazyPart(loadDialog, { isDialog: true });

/** Corrects or takes back what was announced. */
export function AnnouncementActions({ announcement }: { announcement: AnnouncementView }) {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  const { id, version, title } = announcement;
  return (
    <>
      <EditDeleteMenu
        name={title}
        onEdit={opener.onClick}
        question={`Delete the notification “${title}”?`}
        consequence="It leaves every bell, also of those who have not read it."
        confirmLabel="Delete notification"
        deleted={`${title} deleted.`}
        remove={() => callAction(deleteAnnouncementAction({ id, version }))}
      />
      {wanted ? <AnnouncementDialog announcement={announcement} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
