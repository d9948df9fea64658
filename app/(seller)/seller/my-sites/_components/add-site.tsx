'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { AddSiteDialog } from './add-site-dialog';
import type { OwnSiteChoices } from './own-site-fields';

/** The button that adds a site; the form's code comes with the first opening. */
export function AddSite(choices: OwnSiteChoices) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add site
      </Button>
      <AddSiteDialog open={open} onOpenChange={setOpen} {...choices} />
    </>
  );
}
