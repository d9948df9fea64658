'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { ListViews } from './saved-views';

/** Loaded with the first opening. */
const SavedViewsDialog = dynamic(
  retryChunk(() => import('./saved-views-dialog').then((module) => module.SavedViewsDialog)),
  { ssr: false },
);

/** Opens the dialog that saves the current view of a list, renames views and deletes them. */
export function SavedViewsButton(views: ListViews) {
  const [open, setOpen] = useState(false);
  // Stays mounted after the first opening, for the closing animation.
  const [isMounted, setMounted] = useState(false);
  if (open && !isMounted) setMounted(true);
  return (
    <>
      <Button size="sm" aria-haspopup="dialog" icon={<Icon name="bookmark" />} onClick={() => setOpen(true)}>
        Views
      </Button>
      {isMounted ? <SavedViewsDialog {...views} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
