'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { CartBarProps } from '@/components/carts/cart-bar';
import { useListUrl } from '@/components/sites/filters/catalogue-parts';
import type { SiteDrawerProps } from '@/components/sites/site-drawer-panel';
import { useCart } from '@/components/sites/use-cart';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
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
        <Icon name="bookmark" className="sm:-ml-0.5" />
        <span className="max-sm:sr-only">Saved filters</span>
        {saved.length > 0 ? <span className="font-normal text-muted">{saved.length}</span> : null}
      </Button>
      {isMounted ? <SavedFiltersDialog open={open} onOpenChange={setOpen} saved={saved} query={query} /> : null}
    </>
  );
}

const LoadedCartBar = dynamic(
  retryChunk(() => import('@/components/carts/cart-bar').then((module) => module.CartBar)),
  { ssr: false },
);

/** Renders the cart of the current project at the bottom of the screen. Its code is loaded with the first site. */
export function CartBar(props: CartBarProps) {
  const { sites } = useCart(props.cart);
  return sites.length > 0 ? <LoadedCartBar {...props} /> : null;
}

/** Loaded with the first opening: the list is used without it more often. */
const SiteDrawerPanel = dynamic(
  retryChunk(() => import('@/components/sites/site-drawer-panel').then((module) => module.SiteDrawerPanel)),
  { ssr: false },
);

/** Renders the drawer of a listed site, which the URL names. */
export const SiteDrawer = (props: SiteDrawerProps) => <SiteDrawerPanel {...props} />;

const RecordNotFound = dynamic(
  retryChunk(() => import('@/components/table/record-dialog').then((module) => module.RecordNotFound)),
  { ssr: false },
);

/** Renders the dialog for a URL that names a site that does not exist, or is not on sale. */
export const SiteNotFound = (props: { title?: string; text?: string; closeHref: string }) => (
  <RecordNotFound noun="site" {...props} />
);
