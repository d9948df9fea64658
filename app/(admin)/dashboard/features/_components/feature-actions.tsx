'use client';

import { useState } from 'react';
import { deleteFeatureAction } from '@/app/(admin)/dashboard/features/actions';
import { EditDeleteMenu } from '@/components/table/record-actions';
import { callAction } from '@/lib/browser/call-action';
import type { HighlightView } from '@/lib/settings/signup-highlights/queries';
import { FeatureDialog } from './feature-dialog';

export function FeatureActions({ feature }: { feature: HighlightView }) {
  const [open, setOpen] = useState(false);
  const { id, version, name } = feature;
  return (
    <>
      <EditDeleteMenu
        name={name}
        onEdit={() => setOpen(true)}
        question={`Delete the feature “${name}”?`}
        consequence="It’s removed from the list next to the registration form."
        confirmLabel="Delete feature"
        deleted={`${name} deleted.`}
        remove={() => callAction(() => deleteFeatureAction({ id, version }))}
      />
      <FeatureDialog feature={feature} open={open} onOpenChange={setOpen} />
    </>
  );
}
