'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useCallback, useEffect, useId, useState } from 'react';
import { SearchInput } from '@/components/table/search-input';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { retryChunk } from '@/components/ui/retry-chunk';
import { useHydrated } from '@/components/ui/use-hydrated';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { FilterCounts } from '@/lib/sites/catalogue/filter-counts';
import { ActiveFilters, PresetLinks } from './active-filters';
import { useListUrl } from './catalogue-parts';
import { ChoiceFilters } from './choice-menu';
import { checkFilters, choiceFilters, filterParams, linkFilter, rangeFilters, type SiteChoices } from './filter-params';
import type { ReadParam } from './list-active-filters';

/**
 * Loads the numbers of sites beside the filters, for the filters in the URL. While new ones load, the previous ones
 * remain. They are of the whole catalog, so there are none in the lists of favorites and hidden sites.
 * @param fixed the parameters of the list that the URL does not have
 * @param isWanted whether a control that shows them is open
 */
function useFilterCounts(
  read: ReadParam,
  fixed: Readonly<Record<string, string>>,
  isWanted: boolean,
): FilterCounts | null {
  const params = new URLSearchParams(fixed);
  for (const name of filterParams) if (!(name in fixed)) for (const value of read(name)) params.append(name, value);
  const path = `/api/guest-posts/counts?${params}`;
  const [counts, setCounts] = useState<FilterCounts | null>(null);

  const isWhole = read('show').length === 0;

  useEffect(() => {
    if (!isWanted || !isWhole) return;
    let isCurrent = true;
    apiFetch<FilterCounts>(path).then(
      (loaded) => {
        if (isCurrent) setCounts(loaded);
      },
      (cause: unknown) => {
        if (!(cause instanceof ApiError)) throw cause;
        // The filters work without numbers, and outdated ones would mislead.
        if (isCurrent) setCounts(null);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [path, isWanted, isWhole]);

  return isWhole ? counts : null;
}

/** Loaded when they are opened: the list is used without them more often. */
const RangeFilters = dynamic(retryChunk(() => import('./range-filters').then((module) => module.RangeFilters)));
const FilterSheet = dynamic(
  retryChunk(() => import('./filter-sheet').then((module) => module.FilterSheet)),
  { ssr: false },
);

/** The search has its own field. */
const clearedInSheet = Object.fromEntries(filterParams.filter((name) => name !== 'q').map((name) => [name, null]));

type SiteFiltersProps = {
  choices: SiteChoices;
  /** The post type of the list. */
  postType: string | undefined;
  /** The parameters of the current project, some of which may be its settings. */
  project?: Readonly<Record<string, string>>;
  /** Parameters with an invalid value. */
  ignored: readonly string[];
  /** Controls of one screen, at the end of the line. */
  children?: ReactNode;
};

/**
 * Renders the filters of a list of sites: in a line on wide screens, in a sheet on narrow ones. The URL holds their
 * values and follows each change after a pause.
 */
export function SiteFilters({ choices, postType, project, ignored, children }: SiteFiltersProps) {
  const { read, hrefWith } = useListUrl(ignored);
  const has = (name: string) => read(name).length > 0;
  const countSet = (filters: readonly { param: string }[]) => filters.filter(({ param }) => has(param)).length;
  const inPanel = rangeFilters.filter(({ min, max }) => has(min) || has(max)).length + countSet(checkFilters);
  const inForce = inPanel + countSet([...choiceFilters, linkFilter]);
  // The options render after hydration: before it they cannot be used, and they would add about 5 % to the page's size.
  const isHydrated = useHydrated();
  const [isOpen, setIsOpen] = useState(inPanel > 0);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [hasMenu, setHasMenu] = useState(false);
  const onMenu = useCallback(() => setHasMenu(true), []);
  const counts = useFilterCounts(read, { ...(postType && { postType }), ...project }, isOpen || isSheetOpen || hasMenu);
  const id = useId();
  const icon = <Icon name="sliders-horizontal" />;
  return (
    <div className="mb-3 grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput placeholder="Search name or URL…" label="Search sites" className="lg:w-64" />
        <ChoiceFilters
          choices={choices}
          counts={counts}
          read={read}
          onOpen={onMenu}
          className="w-36 max-lg:hidden"
          linkOptions={isHydrated ? choices.followType : read(linkFilter.param)}
          linkClassName="w-28 max-lg:hidden"
        />
        <Button
          size="sm"
          className="max-lg:hidden"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
          icon={icon}
        >
          More filters
          <Count value={inPanel} />
        </Button>
        <Button size="sm" className="lg:hidden" icon={icon} aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
          Filters
          <Count value={inForce} />
        </Button>
        {children}
      </div>
      {/* Not merely hidden: unopened controls would be a tenth of the page. */}
      {isOpen ? (
        <div id={id} className="rounded-lg border border-line bg-surface grid gap-4 p-4 max-lg:hidden">
          <RangeFilters counts={counts} read={read} className="grid-cols-3 2xl:grid-cols-6" />
        </div>
      ) : null}
      <PresetLinks read={read} hrefWith={hrefWith} />
      {filterParams.some(has) ? <ActiveFilters read={read} hrefWith={hrefWith} /> : null}
      <Dialog open={isSheetOpen} onOpenChange={setSheetOpen} title="Filters" size="md">
        <FilterSheet choices={choices} counts={counts} read={read} clearHref={hrefWith(clearedInSheet)} />
      </Dialog>
    </div>
  );
}

function Count({ value }: { value: number }) {
  if (value === 0) return null;
  return (
    <span className="rounded-full bg-accent px-1.5 text-on-accent text-xs">
      {value}
      <span className="sr-only"> active</span>
    </span>
  );
}
