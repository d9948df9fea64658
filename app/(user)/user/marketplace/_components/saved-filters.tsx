'use client';

import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '@/components/sites/filters/use-address';
import { Button } from '@/components/ui/button';
import type { SavedFilter } from '@/lib/sites/preferences/save-filter';
import { SavedFiltersDialog } from './saved-filters-dialog';

/** The person's named filters: to use, to keep the one in force, to replace or to delete. */
export function SavedFilters({ saved }: { saved: readonly SavedFilter[] }) {
  const { query } = useAddress();
  const [open, setOpen] = useState(false);
  return (
    <>
      {/* The icon stands among the texts: on phones it may be alone, and is then in the middle. */}
      <Button
        size="sm"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={saved.length === 0 ? 'max-sm:w-8 max-sm:px-0' : undefined}
      >
        <Bookmark className="size-4 sm:-ml-0.5" />
        <span className="max-sm:sr-only">Saved filters</span>
        {saved.length > 0 ? <span className="font-normal text-muted tabular-nums">{saved.length}</span> : null}
      </Button>
      <SavedFiltersDialog open={open} onOpenChange={setOpen} saved={saved} query={query} />
    </>
  );
}
