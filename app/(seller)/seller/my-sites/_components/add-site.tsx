'use client';

import { Plus } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { lazyPart } from '@/components/ui/lazy-part';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';
import type { OwnSiteChoices } from './own-site-fields';

const loadDialog = () => import('./add-site-dialog');
const AddSiteDialog = lazyPart(loadDialog, { isDialog: true });

/** The button that adds a site; the form's code comes with the first opening. */
export function AddSite(choices: OwnSiteChoices) {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} {...opener}>
        Add site
      </Button>
      {wanted ? <AddSiteDialog open={open} onOpenChange={setOpen} {...choices} /> : null}
    </>
  );
}
