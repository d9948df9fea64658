'use client';

import { Bookmark } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import type { OrderFacts } from '@/components/orders/order-form';
import { projectParam } from '@/components/sites/basket-url';
import { useListUrl } from '@/components/sites/filters/catalogue-parts';
import type { SiteDrawerProps } from '@/components/sites/site-drawer-panel';
import { useCheckout, useSelection } from '@/components/sites/use-selection';
import { Button } from '@/components/ui/button';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { SavedFilter } from '@/lib/users/saved-filters';

/** Loaded with the first opening: the list is used without it more often. */
const SavedFiltersDialog = dynamic(
  retryChunk(() => import('./saved-filters-dialog').then((module) => module.SavedFiltersDialog)),
  { ssr: false },
);

/** Lists the user's saved filters and saves the current one. */
export function SavedFilters({ saved }: { saved: readonly SavedFilter[] }) {
  const { query } = useListUrl();
  const [open, setOpen] = useState(false);
  // Stays mounted after the first opening, for the closing animation.
  const [isMounted, setMounted] = useState(false);
  if (open && !isMounted) setMounted(true);
  return (
    <>
      {/* The icon is a child instead of the icon prop, so that it is centered on phones when it has no label. */}
      <Button
        size="sm"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={saved.length === 0 ? 'max-sm:w-8 max-sm:px-0' : undefined}
      >
        <Bookmark className="size-4 sm:-ml-0.5" />
        <span className="max-sm:sr-only">Saved filters</span>
        {saved.length > 0 ? <span className="font-normal text-muted">{saved.length}</span> : null}
      </Button>
      {isMounted ? <SavedFiltersDialog open={open} onOpenChange={setOpen} saved={saved} query={query} /> : null}
    </>
  );
}

const SelectionPanel = dynamic(
  retryChunk(() => import('@/components/sites/selection-panel').then((module) => module.SelectionPanel)),
  { ssr: false },
);

/**
 * Renders the number of selected sites over all pages and their total, at the bottom of the screen while sites are
 * selected.
 */
export function SelectionBar(facts: OrderFacts) {
  const selection = useSelection(facts.userId);
  const [checkout, setCheckout] = useCheckout(facts.userId);

  // The dialog does not open again on the next visit.
  useEffect(() => () => setCheckout({ isOpen: false, sites: null }), [setCheckout]);

  // Mounted from the first selection or order on, or for a basket in the URL. It stays mounted, because an order empties the
  // selection and still shows a message.
  const isReturning = useSearchParams().has(projectParam);
  const [isWanted, setIsWanted] = useState(isReturning);
  if (!isWanted && (selection.sites.length > 0 || checkout.isOpen)) setIsWanted(true);
  if (!isWanted) return null;
  return <SelectionPanel {...facts} selection={selection} />;
}

/** Loaded with the first opening: the list is used without it more often. */
const SiteDrawerPanel = dynamic(
  retryChunk(() => import('@/components/sites/site-drawer-panel').then((module) => module.SiteDrawerPanel)),
  { ssr: false },
);

/** Renders the drawer of a listed site, which the URL names. */
export const SiteDrawer = (props: SiteDrawerProps) => <SiteDrawerPanel {...props} />;
