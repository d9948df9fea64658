'use client';

import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useHydrated } from '@/components/auth/use-hydrated';
import { FilterSelect } from '@/components/table/filter-select';
import { SearchInput } from '@/components/table/search-input';
import { Button } from '@/components/ui/button';
import { lazyPart } from '@/components/ui/lazy-part';
import { useFetchAhead } from '@/components/ui/use-fetch-ahead';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';
import { choiceFilters, filterParams, rangeFilters } from './address-filters';
import type { SiteChoices } from './site-choices';
import { useAddress } from './use-address';

// On wide screens nobody needs the sheet, and the others only who filters.
const loadRanges = () => import('./range-filters').then((module) => ({ default: module.RangeFilters }));
const RangeFilters = lazyPart(loadRanges);
const loadInForce = () => import('./filters-in-force').then((module) => ({ default: module.FiltersInForce }));
// As high as one line of them: what is found stands below, maybe under the pointer already.
const FiltersInForce = lazyPart(loadInForce, { waiting: <div className="h-7" /> });
const loadBoth = () => Promise.all([loadRanges(), loadInForce()]);
const loadSheet = () => import('./filter-sheet').then((module) => ({ default: module.FilterSheet }));
const FilterSheet = lazyPart(loadSheet, { isDialog: true });

type SiteFiltersProps = {
  choices: SiteChoices;
  /** Parameters whose value makes no sense. */
  ignored: readonly string[];
  /** At the end of the line: what one screen alone has. */
  children?: ReactNode;
};

/** Every filter of a list of sites: in a line on wide screens, in a sheet on narrow ones. They stand in the address. */
export function SiteFilters({ choices, ignored, children }: SiteFiltersProps) {
  const { read, hrefWith } = useAddress(ignored);
  const inRanges = rangeFilters.filter(({ min, max }) => read(min) || read(max)).length;
  const inForce = inRanges + choiceFilters.filter(({ param }) => read(param)).length;
  // Five dozen choices nobody can take yet would weigh a twentieth of the page.
  const isHydrated = useHydrated();
  const [isOpen, setIsOpen] = useState(inRanges > 0);
  useFetchAhead(loadBoth);
  const sheet = useLazyDialog(loadSheet);
  const id = useId();
  const icon = <SlidersHorizontal className="size-4" />;
  return (
    // Who comes here with keyboard or pointer is about to filter.
    <div className="mb-3 grid gap-2" onFocusCapture={() => void Promise.allSettled([loadInForce()])}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput placeholder="Search name or address…" label="Search sites" className="lg:w-64" />
        {choiceFilters.map(({ label, param, all }) => (
          <FilterSelect
            key={param}
            param={param}
            label={label}
            allLabel={all}
            options={isHydrated ? choices[param] : [read(param)].filter(Boolean)}
            className="w-34 max-lg:hidden"
          />
        ))}
        <Button
          size="sm"
          className="max-lg:hidden"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
          icon={icon}
        >
          More filters
          <Count value={inRanges} />
        </Button>
        <Button size="sm" className="lg:hidden" {...sheet.opener} icon={icon}>
          Filters
          <Count value={inForce} />
        </Button>
        {children}
      </div>
      {/* Not merely hidden: twelve inputs nobody opened would weigh a tenth of the page. */}
      {isOpen ? (
        <div id={id} className="max-lg:hidden">
          <RangeFilters ranges={rangeFilters} read={read} />
        </div>
      ) : null}
      {filterParams.some(read) ? <FiltersInForce read={read} hrefWith={hrefWith} /> : null}
      {sheet.wanted ? (
        <FilterSheet open={sheet.open} onOpenChange={sheet.setOpen} choices={choices} read={read} />
      ) : null}
    </div>
  );
}

function Count({ value }: { value: number }) {
  if (value === 0) return null;
  return (
    <span className="rounded-full bg-accent px-1.5 text-on-accent text-xs tabular-nums">
      {value}
      <span className="sr-only"> in force</span>
    </span>
  );
}
