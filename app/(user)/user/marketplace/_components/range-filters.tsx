'use client';

import { type FormEvent, useId } from 'react';
import { useParamChange } from '@/components/table/use-param-change';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import type { RangeFilter } from '../_filters';

type RangeFiltersProps = {
  ranges: readonly RangeFilter[];
  /** What the address says, by parameter. */
  values: Record<string, string>;
};

/** From–to of the figures; takes effect together, by Enter or the button. */
export function RangeFilters({ ranges, values }: RangeFiltersProps) {
  const { pending, change } = useParamChange();
  const id = useId();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const names = ranges.flatMap(({ min, max }) => [min, max]);
    change(Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '').trim()])));
  };
  return (
    <form
      // Another address, other values: Back and "Clear filters" start the fields afresh.
      key={Object.values(values).join('|')}
      onSubmit={apply}
      className="grid gap-x-4 gap-y-3 rounded-lg border border-line bg-surface p-4 sm:grid-cols-2 lg:grid-cols-[repeat(5,minmax(0,1fr))_auto] lg:items-end"
    >
      {ranges.map(({ label, unit, min, max, limit, step }) => (
        <fieldset key={label} className="grid gap-1.5">
          <legend className="mb-1.5 font-medium text-ink text-xs">
            {label}
            {unit ? <span className="font-normal text-muted"> {unit}</span> : null}
          </legend>
          <div className="flex items-center gap-1.5">
            {[min, max].map((name, index) => (
              <Input
                key={name}
                id={`${id}-${name}`}
                name={name}
                type="number"
                inputMode="decimal"
                min={0}
                max={limit}
                step={step}
                size="sm"
                autoComplete="off"
                aria-label={`${label} ${index === 0 ? 'from' : 'to'}`}
                placeholder={index === 0 ? 'Min' : 'Max'}
                defaultValue={values[name]}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <Button type="submit" size="sm" variant="primary" pending={pending} className="max-lg:justify-self-start">
        Apply
      </Button>
    </form>
  );
}
