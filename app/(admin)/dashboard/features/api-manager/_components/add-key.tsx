'use client';

import { Plus } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { lazyPart } from '@/components/ui/lazy-part';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';

const loadDialog = () => import('./key-dialog');
const KeyDialog = lazyPart(loadDialog, { isDialog: true });

export function AddKey() {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} {...opener}>
        Add key
      </Button>
      {wanted ? <KeyDialog open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
