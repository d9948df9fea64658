'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { KeyDialog } from './key-dialog';

export function AddKey() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add key
      </Button>
      <KeyDialog open={open} onOpenChange={setOpen} />
    </>
  );
}
