'use client';

import { lazy, Suspense } from 'react';
import { Button } from '@/components/ui/button';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';

const loadDialog = () => import('./key-dialog');
const KeyDialog = lazy(loadDialog);

export function AddKey() {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  return (
    <>
      <Button variant="primary" icon={<span aria-hidden="true" className="icon-plus size-4" />} {...opener}>
        Add key
      </Button>
      {wanted ? (
        <Suspense>
          <KeyDialog open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
