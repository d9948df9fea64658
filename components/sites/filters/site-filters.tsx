'use client';

import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useHydrated } from '@/components/auth/use-hydrated';
import { FilterSelect } from '@/components/table/filter-select';
import { SearchInput } from '@/components/table/search-input';
import { Button } from '@/components/ui/button';
import { choiceFilters, filterParams, rangeFilters } from './address-filters';
import { FilterSheet } from './filter-sheet';
import { FiltersInForce } from './filters-in-force';
import { RangeFilters } from './range-filters';
import type { SiteChoices } from './site-choices';
import { useAddress } from './use-address';

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
  const [isSheetOpen, setSheetOpen] = useState(false);
  const id = useId();
  const icon = <SlidersHorizontal className="size-4" />;
  return (
    <div className="mb-3 grid gap-2">
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
        <Button size="sm" className="lg:hidden" icon={icon} aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
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
      <FilterSheet open={isSheetOpen} onOpenChange={setSheetOpen} choices={choices} read={read} />
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
