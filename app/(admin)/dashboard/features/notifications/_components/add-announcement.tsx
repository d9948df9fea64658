'use client';

import { Plus } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { lazyPart } from '@/components/ui/lazy-part';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';

const loadDialog = () => import('./announcement-dialog');
const AnnouncementDialog = lazyPart(loadDialog, { isDialog: true });

export function AddAnnouncement() {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} {...opener}>
        Add notification
      </Button>
      {wanted ? <AnnouncementDialog open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
