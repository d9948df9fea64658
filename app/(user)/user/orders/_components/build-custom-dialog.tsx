'use client';

import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OrderFacts } from '@/components/orders/order-form';
import { SelectionTotal } from '@/components/orders/order-total';
import { CatalogueParts, PostTypeTabs } from '@/components/sites/filters/catalogue-parts';
import type { SiteChoices } from '@/components/sites/filters/filter-params';
import { presets } from '@/components/sites/filters/presets';
import { SiteFilters } from '@/components/sites/filters/site-filters';
import { SitesOrderForm } from '@/components/sites/sites-order-form';
import { type SelectedSite, type Selection, useSelection } from '@/components/sites/use-selection';
import { isBasketOf, useUrlBasket } from '@/components/sites/use-url-basket';
import { type Counted, Pagination } from '@/components/table/pagination';
import { RecordDialog } from '@/components/table/record-dialog';
import type { PageParams, SearchParams } from '@/components/table/url';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { NoMatch, PageOutOfRange } from '@/components/ui/empty-state';
import { ordersPagePath } from './orders-url';
import { findPlacedOrder, orderMessages, useAfterOrder } from './use-after-order';

type BuildCustomDialogProps = {
  closeHref: string;
  facts: OrderFacts;
  /** The sites of the current page; null if the list is empty. */
  table: ReactNode;
  list: PickerList;
};

/** Renders Build Custom: select sites, then review the order. The selection is shared with the marketplace. */
export function BuildCustomDialog({ closeHref, facts, table, list }: BuildCustomDialogProps) {
  const selection = useSelection(facts.userId);
  const returned = useUrlBasket();
  const [isReviewing, setIsReviewing] = useState(returned !== null);
  /** The sites of the URL, where they are not the selection; null after the review. */
  const [separate, setSeparate] = useState<readonly SelectedSite[] | null>(
    returned && !isBasketOf(selection.sites, returned) ? [] : null,
  );
  const step = useRef<HTMLDivElement>(null);
  const after = useAfterOrder();

  /** Switches the step and focuses its first field. */
  const go = (toReview: boolean) => {
    // Back to the sites of the order. Where this tab has a selection, that is what the picker shows.
    if (separate && selection.sites.length === 0) selection.write(separate);
    flushSync(() => {
      setSeparate(null);
      setIsReviewing(toReview);
    });
    step.current?.querySelector<HTMLElement>('input, select')?.focus();
  };

  return (
    <RecordDialog
      title="Build Custom"
      description="Choose the sites yourself. Each site becomes a separate order, paid from your wallet."
      closeHref={closeHref}
      size={isReviewing ? 'lg' : '2xl'}
      focusAfter={findPlacedOrder}
    >
      <div ref={step} className="contents">
        {isReviewing ? (
          <SitesOrderForm
            {...facts}
            basket={separate ? { sites: separate, write: setSeparate } : selection}
            messages={orderMessages}
            returned={returned}
            renderCancel={(pending) => (
              <Button disabled={pending} onClick={() => go(false)}>
                Back to sites
              </Button>
            )}
            onDone={after.done}
          />
        ) : (
          <SitePicker list={list} balanceCents={facts.balanceCents} selection={selection} onContinue={() => go(true)}>
            {table}
          </SitePicker>
        )}
      </div>
    </RecordDialog>
  );
}

type PickerList = Counted & {
  show: 'all' | 'favourites';
  page: PageParams;
  postTypes: readonly string[];
  postType: string | undefined;
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

type SitePickerProps = {
  list: PickerList;
  /** USD cents. */
  balanceCents: number;
  selection: Selection;
  onContinue: () => void;
  /** The table of sites; null if the list is empty. */
  children: ReactNode;
};

/** Selects sites with the marketplace's filters, and displays their total price. */
function SitePicker({ list, balanceCents, selection, onContinue, children }: SitePickerProps) {
  const [isEmpty, setIsEmpty] = useState(false);
  const { sites, write } = selection;
  return (
    <>
      {/* A fixed height prevents a layout shift between results, and the sticky table header requires it. */}
      <DialogBody className="h-[70dvh] [--banner:0px] [--top-bar:-1rem]" data-marketplace="">
        <PostTypeTabs names={list.postTypes} current={list.postType} />
        <div className="h-4" />
        <SiteFilters choices={list.choices} postType={list.postType} ignored={list.ignored} presets={presets}>
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
          {isEmpty && sites.length === 0 ? (
            <p role="alert" className="text-red-ink text-sm">
              No site selected.
            </p>
          ) : (
            <SelectionTotal sites={sites} balanceCents={balanceCents} />
          )}
        </div>
        {sites.length > 0 ? (
          <Button variant="ghost" onClick={() => write([])}>
            Clear
          </Button>
        ) : null}
        <Button
          variant="primary"
          onClick={() => {
            setIsEmpty(sites.length === 0);
            if (sites.length > 0) onContinue();
          }}
        >
          Continue
        </Button>
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
