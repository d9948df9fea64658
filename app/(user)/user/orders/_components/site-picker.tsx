'use client';

import { type ReactNode, useState } from 'react';
import { CatalogueParts } from '@/components/sites/filters/catalogue-parts';
import { PostTypeTabs } from '@/components/sites/filters/post-type-tabs';
import type { SiteChoices } from '@/components/sites/filters/site-choices';
import { SiteFilters } from '@/components/sites/filters/site-filters';
import { SelectionSum } from '@/components/sites/selection-sum';
import type { Selection } from '@/components/sites/use-selection';
import type { PageCursors } from '@/components/table/page-links';
import type { PageParams } from '@/components/table/page-params';
import { Pagination } from '@/components/table/pagination';
import type { SearchParams } from '@/components/table/url';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { NoSiteToPick } from './no-site-to-pick';
import { ordersScreen } from './orders-address';

export type PickerList = {
  show: 'all' | 'favourites';
  page: PageParams;
  total: number;
  isCapped: boolean;
  cursors: PageCursors;
  postTypes: readonly string[];
  postType: string | undefined;
  choices: SiteChoices;
  /** How many favourites of this type the person has. */
  favourites: number;
  /** Parameters whose value makes no sense. */
  ignored: readonly string[];
  params: SearchParams;
  sizes: readonly number[];
  defaultRows: number;
  /** The list without a filter. */
  clearHref: string;
  lastPageHref: string;
};

type SitePickerProps = {
  list: PickerList;
  /** USD cents. */
  balanceCents: number;
  selection: Selection;
  onContinue: () => void;
  /** The table of sites; null when the list is empty. */
  children: ReactNode;
};

/** Sites to tick, with the marketplace's filters, and what the ticked ones cost. */
export function SitePicker({ list, balanceCents, selection, onContinue, children }: SitePickerProps) {
  const [isEmpty, setIsEmpty] = useState(false);
  const { sites, write } = selection;
  return (
    <>
      {/* As high whatever is found, so that nothing moves under the pointer; the header of the table sticks to it. */}
      <DialogBody className="h-[70dvh] [--banner:0px] [--top-bar:0px]" data-marketplace="">
        <PostTypeTabs names={list.postTypes} current={list.postType} />
        <div className="h-4" />
        <SiteFilters choices={list.choices} ignored={list.ignored}>
          <CatalogueParts shown={list.show} counts={{ all: '', favourites: list.favourites || '' }} />
        </SiteFilters>
        <div className="rounded-lg border border-line bg-surface">
          {children ?? <NoSiteToPick {...list} />}
          {list.total > 0 ? (
            <Pagination
              label="Pages of sites"
              pathname={ordersScreen}
              searchParams={list.params}
              page={list.page}
              total={list.total}
              capped={list.isCapped}
              cursors={list.cursors}
              sizes={list.sizes}
              defaultRows={list.defaultRows}
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
            <SelectionSum sites={sites} balanceCents={balanceCents} />
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
