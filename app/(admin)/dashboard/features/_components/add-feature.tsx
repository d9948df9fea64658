'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { FeatureDialog } from './feature-dialog';

export function AddFeature() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add feature
      </Button>
      <FeatureDialog open={open} onOpenChange={setOpen} />
    </>
  );
}
