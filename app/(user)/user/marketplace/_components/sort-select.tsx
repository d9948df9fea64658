'use client';

import { sortChoices } from '@/components/sites/filters/address-filters';
import { useParamChange } from '@/components/table/use-param-change';
import { Select } from '@/components/ui/select';

/** Sorts the cards, which have no header to press. */
export function SortSelect({ value }: { value: string }) {
  const { pending, change } = useParamChange();
  return (
    <Select
      size="sm"
      aria-label="Sort by"
      aria-busy={pending}
      className="sm:w-44"
      value={sortChoices.some((choice) => choice.value === value) ? value : ''}
      onChange={(event) => {
        const [sort, order] = event.target.value.split('.');
        change({ sort, order });
      }}
    >
      {sortChoices.map(({ value: choice, label }) => (
        <option key={choice} value={choice}>
          {label}
        </option>
      ))}
    </Select>
  );
}
