'use client';

import type { FormEvent } from 'react';
import { useParamChange } from '@/components/table/use-param-change';
import { Button } from '@/components/ui/button';
import type { RangeFilter } from './address-filters';
import { paramsOf } from './params-of';
import { RangeInputs } from './range-inputs';

type RangeFiltersProps = {
  ranges: readonly RangeFilter[];
  /** What the address says. */
  read: (name: string) => string;
};

/** From–to of the figures; takes effect together, by Enter or the button. */
export function RangeFilters({ ranges, read }: RangeFiltersProps) {
  const { pending, change } = useParamChange();
  const names = ranges.flatMap(({ min, max }) => [min, max]);
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change(paramsOf(event.currentTarget, names));
  };
  return (
    <form
      // Another address, other values: Back and "Clear filters" start the fields afresh.
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
