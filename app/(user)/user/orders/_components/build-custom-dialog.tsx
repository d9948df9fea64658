'use client';

import { type ReactNode, useState } from 'react';
import { CartTotal, CheckoutLink, ClearCart } from '@/components/carts/cart-bar';
import type { Funds } from '@/components/orders/outlook';
import { CatalogueParts, PostTypeTabs } from '@/components/sites/filters/catalogue-parts';
import type { SiteChoices } from '@/components/sites/filters/filter-params';
import { ProjectPicker } from '@/components/sites/filters/project-picker';
import { SiteFilters } from '@/components/sites/filters/site-filters';
import { useCart } from '@/components/sites/use-cart';
import { type Counted, Pagination } from '@/components/table/pagination';
import { RecordDialog } from '@/components/table/record-dialog';
import type { PageParams, SearchParams } from '@/components/table/url';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { NoMatch, PageOutOfRange } from '@/components/ui/empty-state';
import type { CartState } from '@/lib/orders/carts/cart-sites';
import { type listProjectOptions, noProject } from '@/lib/orders/carts/current-project';
import type { ShownTax } from '@/lib/tax/buyer-tax';
import { ordersPagePath } from './orders-url';

type BuildCustomDialogProps = Funds & {
  closeHref: string;
  /** The cart of the current project. */
  cart: CartState;
  tax: ShownTax | null;
  /** The sites of the current page; null if the list is empty. */
  table: ReactNode;
  list: PickerList;
};

/** Renders Build Custom, which adds sites to the cart of a project with the marketplace's filters. */
export function BuildCustomDialog({ closeHref, table, ...picker }: BuildCustomDialogProps) {
  return (
    <RecordDialog
      title="Build Custom"
      description="Choose the sites yourself. Each site becomes a separate order, paid from your wallet."
      closeHref={closeHref}
      size="2xl"
    >
      <SitePicker {...picker}>{table}</SitePicker>
    </RecordDialog>
  );
}

type PickerList = Counted & {
  show: 'all' | 'favourites';
  page: PageParams;
  postTypes: readonly string[];
  postType: string | undefined;
  /** The parameters of the current project. */
  project: Readonly<Record<string, string>>;
  projects: ReturnType<typeof listProjectOptions>;
  choices: SiteChoices;
  /** The number of the user's favourites of this post type. */
  favourites: number;
  /** Parameters with invalid values. */
  ignored: readonly string[];
  params: SearchParams;
  /** The URL of the list without filters. */
  clearHref: string;
  lastPageHref: string;
};

type SitePickerProps = Omit<BuildCustomDialogProps, 'closeHref' | 'table'> & {
  /** The table of sites; null if the list is empty. */
  children: ReactNode;
};

/** Selects sites with the marketplace's filters, and displays their total price. */
function SitePicker({ list, tax, cart: rendered, children, ...funds }: SitePickerProps) {
  const [isEmpty, setIsEmpty] = useState(false);
  const cart = useCart(rendered);
  const hasSites = cart.sites.length > 0;
  return (
    <>
      {/* A fixed height prevents a layout shift between results, and the sticky table header requires it. */}
      <DialogBody className="h-[70dvh] [--banner:0px] [--top-bar:-1rem]" data-marketplace="">
        <PostTypeTabs names={list.postTypes} current={list.postType} />
        <div className="h-4" />
        <ProjectPicker
          options={list.projects}
          current={list.project.projectId ?? noProject}
          isLinkedHidden={list.project.projectId ? list.project.hideLinked === '1' : null}
        />
        <SiteFilters choices={list.choices} postType={list.postType} project={list.project} ignored={list.ignored}>
          <CatalogueParts shown={list.show} counts={{ all: '', favourites: list.favourites || '' }} />
        </SiteFilters>
        <div className="rounded-lg border border-line bg-surface">
          {children ?? <NoSelectableSites {...list} />}
          {list.total > 0 ? (
            <Pagination
              pathname={ordersPagePath}
              searchParams={list.params}
              page={{ ...list.page, label: 'Site pages' }}
              total={list.total}
              isCapped={list.isCapped}
              next={list.next}
              previous={list.previous}
            />
          ) : null}
        </div>
      </DialogBody>
      <DialogFooter>
        <div className="mr-auto">
          {isEmpty && !hasSites ? (
            <p role="alert" className="text-red-ink text-sm">
              No site selected.
            </p>
          ) : (
            <CartTotal {...{ cart, tax }} {...funds} projectId={list.project.projectId ?? ''} />
          )}
        </div>
        {cart.isReadOnly ? null : hasSites ? (
          <>
            <ClearCart cart={cart} />
            <CheckoutLink cart={cart} />
          </>
        ) : (
          <Button variant="primary" onClick={() => setIsEmpty(true)}>
            Checkout
          </Button>
        )}
      </DialogFooter>
    </>
  );
}

type NoSelectableSitesProps = { show: 'all' | 'favourites'; total: number; clearHref: string; lastPageHref: string };

/** Renders the empty state of the picker: page out of range, no match, or no favourites. */
function NoSelectableSites({ show, total, clearHref, lastPageHref }: NoSelectableSitesProps) {
  if (total > 0) return <PageOutOfRange lastPageHref={lastPageHref} />;
  return (
    <NoMatch title={show === 'favourites' ? 'No matching favorites' : 'No matching sites'} clearHref={clearHref}>
      Remove a filter, widen a range or show all sites.
    </NoMatch>
  );
}
