'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { AnnouncementDialog } from './announcement-dialog';

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
