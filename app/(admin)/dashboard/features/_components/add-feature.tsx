'use client';

import { lazy, Suspense } from 'react';
import { Button } from '@/components/ui/button';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';

const loadDialog = () => import('./feature-dialog');
const FeatureDialog = lazy(loadDialog);

export function AddFeature() {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  return (
    <>
      <Button variant="primary" icon={<span aria-hidden="true" className="icon-plus size-4" />} {...opener}>
        Add feature
      </Button>
      {wanted ? (
        <Suspense>
          <FeatureDialog open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
