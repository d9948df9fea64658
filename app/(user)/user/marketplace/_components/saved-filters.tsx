'use client';

import { Bookmark } from 'lucide-react';
import { useAddress } from '@/components/sites/filters/use-address';
import { Button } from '@/components/ui/button';
import { lazyPart } from '@/components/ui/lazy-part';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';
import type { SavedFilter } from '@/lib/sites/preferences/save-filter';

const loadSaved = () => import('./saved-filters-dialog').then((module) => ({ default: module.SavedFiltersDialog }));
const SavedFiltersDialog = lazyPart(loadSaved, { isDialog: true });

/** The person's named filters: to use, to keep the one in force, to replace or to delete. */
export function SavedFilters({ saved }: { saved: readonly SavedFilter[] }) {
  const { query } = useAddress();
  const dialog = useLazyDialog(loadSaved);
  return (
    <>
      {/* The icon stands among the texts: on phones it may be alone, and is then in the middle. */}
      <Button size="sm" {...dialog.opener} className={saved.length === 0 ? 'max-sm:w-8 max-sm:px-0' : undefined}>
        <Bookmark className="size-4 sm:-ml-0.5" />
        <span className="max-sm:sr-only">Saved filters</span>
        {saved.length > 0 ? <span className="font-normal text-muted tabular-nums">{saved.length}</span> : null}
      </Button>
      {dialog.wanted ? (
        <SavedFiltersDialog open={dialog.open} onOpenChange={dialog.setOpen} saved={saved} query={query} />
      ) : null}
    </>
  );
}
