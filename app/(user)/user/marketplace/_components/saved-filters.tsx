'use client';

import { Bookmark } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { SavedFilter } from '@/lib/sites/preferences/save-filter';
import type { useAddress } from './use-address';

// Fetched with the first press.
const SavedFiltersDialog = dynamic(() => import('./saved-filters-dialog').then((module) => module.SavedFiltersDialog), {
  ssr: false,
});

type SavedFiltersProps = { saved: readonly SavedFilter[]; address: ReturnType<typeof useAddress> };

/** The person's named filters: to use, to keep the one in force, to replace or to delete. */
export function SavedFilters({ saved, address }: SavedFiltersProps) {
  const [dialog, setDialog] = useState<'never' | 'open' | 'closed'>('never');
  return (
    <>
      <Button
        size="sm"
        aria-haspopup="dialog"
        onClick={() => setDialog('open')}
        icon={<Bookmark aria-hidden="true" className="size-4" />}
      >
        <span className="max-sm:sr-only">Saved filters</span>
        {saved.length > 0 ? <span className="font-normal text-muted tabular-nums">{saved.length}</span> : null}
      </Button>
      {dialog === 'never' ? null : (
        <SavedFiltersDialog
          open={dialog === 'open'}
          onOpenChange={(open) => setDialog(open ? 'open' : 'closed')}
          saved={saved}
          address={address}
        />
      )}
    </>
  );
}
