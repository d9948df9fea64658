'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { OwnSiteDialog } from './own-site-dialog';
import type { OwnSiteChoices } from './own-site-fields';

/** The button that opens the dialog for a new site. */
export function AddSite(choices: OwnSiteChoices) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add site
      </Button>
      <OwnSiteDialog open={open} onOpenChange={setOpen} {...choices} />
    </>
  );
}
