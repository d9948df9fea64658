'use client';

import { EditDeleteMenu } from '@/components/table/row-actions';
import { lazyPart } from '@/components/ui/lazy-part';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';
import type { FeatureView } from '@/lib/features/queries';
import { callAction } from '@/lib/http/call-action';
import { deleteFeatureAction } from '../actions';

const loadDialog = () => import('./feature-dialog');
const FeatureDialog = lazyPart(loadDialog, { isDialog: true });

export function FeatureActions({ feature }: { feature: FeatureView }) {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  const { id, version, name } = feature;
  return (
    <>
      <EditDeleteMenu
        name={name}
        onEdit={opener.onClick}
        question={`Delete the feature “${name}”?`}
        consequence="It leaves the list beside the registration."
        confirmLabel="Delete feature"
        deleted={`${name} deleted.`}
        remove={() => callAction(deleteFeatureAction({ id, version }))}
      />
      {wanted ? <FeatureDialog feature={feature} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
