'use client';

import { SlidersHorizontal, X } from 'lucide-react';
import Link from 'next/link';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useHydrated } from '@/components/ui/use-hydrated';
import { SelectField } from '@/components/form/select-field';
import { FilterSelect } from '@/components/table/filter-select';
import { SearchInput } from '@/components/table/search-input';
import type { ParamChanges } from '@/components/table/url';
import { useParamChange } from '@/components/table/use-param-change';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { LinkBusy } from '@/components/ui/link-busy';
import { choiceFilters, filterParams, type RangeFilter, rangeFilters } from './filter-params';
import { listActiveFilters } from './list-active-filters';
import type { SiteChoices } from './site-choices';
import { useListUrl } from './use-list-url';

const names = [...choiceFilters.map(({ param }) => param), ...rangeFilters.flatMap(({ min, max }) => [min, max])];

const nothing = Object.fromEntries(names.map((name) => [name, null]));

const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

type SiteFiltersProps = {
  choices: SiteChoices;
  /** Parameters with an invalid value. */
  ignored: readonly string[];
  /** Controls of one screen, at the end of the line. */
  children?: ReactNode;
};

/** The filters of a list of sites: in a line on wide screens, in a sheet on narrow ones. The URL holds their values. */
export function SiteFilters({ choices, ignored, children }: SiteFiltersProps) {
  const { read, hrefWith } = useListUrl(ignored);
  const inRanges = rangeFilters.filter(({ min, max }) => read(min) || read(max)).length;
  const inForce = inRanges + choiceFilters.filter(({ param }) => read(param)).length;
  // The options render after hydration: before it they cannot be used, and they would add about 5 % to the page's size.
  const isHydrated = useHydrated();
  const [isOpen, setIsOpen] = useState(inRanges > 0);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const id = useId();
  const icon = <SlidersHorizontal className="size-4" />;
  return (
    <div className="mb-3 grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput placeholder="Search name or URL…" label="Search sites" className="lg:w-64" />
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
      {/* Not merely hidden: twelve unopened inputs would be a tenth of the page. */}
      {isOpen ? (
        <div id={id} className="max-lg:hidden">
          <RangeFilters ranges={rangeFilters} read={read} />
        </div>
      ) : null}
      {filterParams.some(read) ? <ActiveFilters read={read} hrefWith={hrefWith} /> : null}
      <FilterSheet open={isSheetOpen} onOpenChange={setSheetOpen} choices={choices} read={read} />
    </div>
  );
}

function Count({ value }: { value: number }) {
  if (value === 0) return null;
  return (
    <span className="rounded-full bg-accent px-1.5 text-on-accent text-xs tabular-nums">
      {value}
      <span className="sr-only"> active</span>
    </span>
  );
}

type RangeFiltersProps = {
  ranges: readonly RangeFilter[];
  /** Reads a parameter of the URL. */
  read: (name: string) => string;
};

/** Minimum and maximum of each figure. They are applied together, by Enter or the button. */
function RangeFilters({ ranges, read }: RangeFiltersProps) {
  const { pending, change } = useParamChange();
  const names = ranges.flatMap(({ min, max }) => [min, max]);
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change(paramsOf(event.currentTarget, names));
  };
  return (
    <form
      // New values in the URL (Back, "Clear filters") reset the fields.
      key={names.map(read).join('|')}
      onSubmit={apply}
      className="grid grid-cols-[repeat(6,minmax(0,1fr))_auto] items-end gap-x-4 gap-y-3 rounded-lg border border-line bg-surface p-4"
    >
      {ranges.map((range) => (
        <RangeInputs key={range.label} range={range} read={read} />
      ))}
      <Button type="submit" size="sm" variant="primary" pending={pending}>
        Apply
      </Button>
    </form>
  );
}

type FiltersInForceProps = {
  /** Reads a parameter of the URL. */
  read: (name: string) => string;
  hrefWith: (changes: ParamChanges) => string;
};

/** The active filters, each a link that removes it, and one link that removes all. */
function ActiveFilters({ read, hrefWith }: FiltersInForceProps) {
  // The search field already shows the search text.
  const chips = listActiveFilters(read).filter(({ params }) => !params.includes('q'));
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {chips.length > 0 ? (
        <ul aria-label="Active filters" className="contents">
          {chips.map(({ text, params }) => (
            <li key={params.join()} className="min-w-0 max-w-full">
              <Link
                prefetch={false}
                href={hrefWith(without(params))}
                scroll={false}
                className="flex h-7 items-center gap-1 rounded-full border border-line-strong bg-surface pr-1.5 pl-2.5 text-ink text-xs transition-colors hover:bg-sunken"
              >
                <span className="sr-only">Remove </span>
                <span className="truncate">{text}</span>
                <LinkBusy />
                <X className="size-3.5 shrink-0 text-subtle" />
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <Link
        prefetch={false}
        href={hrefWith(without(filterParams))}
        scroll={false}
        className="rounded-sm px-1.5 py-1 text-accent-ink text-sm hover:underline"
      >
        Clear filters
      </Link>
    </div>
  );
}

type FilterSheetProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  choices: SiteChoices;
  /** Reads a parameter of the URL. */
  read: (name: string) => string;
};

/** The filters on narrow screens, applied together. The search has its own field. */
function FilterSheet(props: FilterSheetProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Filters" size="md">
      <SheetForm {...props} />
    </Dialog>
  );
}

function SheetForm({ onOpenChange, choices, read }: FilterSheetProps) {
  const { change } = useParamChange();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change(paramsOf(event.currentTarget, names));
    onOpenChange(false);
  };
  return (
    <form className="contents" onSubmit={apply}>
      <DialogBody className="grid grid-cols-2 content-start gap-4">
        {choiceFilters.map(({ label, param, all }) => (
          <SelectField
            key={param}
            name={param}
            label={label}
            placeholder={all}
            options={choices[param].map((value) => ({ value, label: value }))}
            defaultValue={read(param)}
          />
        ))}
        {rangeFilters.map((range) => (
          <RangeInputs key={range.label} range={range} read={read} size="md" />
        ))}
      </DialogBody>
      <DialogFooter>
        <Button
          variant="ghost"
          onClick={() => {
            change(nothing);
            onOpenChange(false);
          }}
        >
          Clear filters
        </Button>
        <Button type="submit" variant="primary">
          Show sites
        </Button>
      </DialogFooter>
    </form>
  );
}

/** The values of a form's fields, by parameter. An empty value removes its parameter. */
function paramsOf(form: HTMLFormElement, names: readonly string[]): Record<string, string> {
  const data = new FormData(form);
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '').trim()]));
}

type RangeInputsProps = { range: RangeFilter; read: (name: string) => string; size?: 'sm' | 'md' };

/** Minimum and maximum of one figure. */
function RangeInputs({ range: { label, unit, min, max, limit, step }, read, size = 'sm' }: RangeInputsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-ink text-xs">
        {label}
        {unit ? <span className="font-normal text-muted"> {unit}</span> : null}
      </legend>
      <div className="flex items-center gap-1.5">
        {[min, max].map((name, index) => (
          <Input
            key={name}
            name={name}
            type="number"
            inputMode="decimal"
            min={0}
            max={limit}
            step={step}
            size={size}
            autoComplete="off"
            aria-label={`${label} ${index === 0 ? 'from' : 'to'}`}
            placeholder={index === 0 ? 'Min' : 'Max'}
            defaultValue={read(name)}
          />
        ))}
      </div>
    </fieldset>
  );
}
