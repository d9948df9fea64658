'use client';

import { lazy, Suspense } from 'react';
import { Button } from '@/components/ui/button';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';

const loadDialog = () => import('./announcement-dialog');
const AnnouncementDialog = lazy(loadDialog);

export function AddAnnouncement() {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  return (
    <>
      <Button variant="primary" icon={<span aria-hidden="true" className="icon-plus size-4" />} {...opener}>
        Add notification
      </Button>
      {wanted ? (
        <Suspense>
          <AnnouncementDialog open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
