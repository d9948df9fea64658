'use client';

import { useSearchParams } from 'next/navigation';
import { Select } from '@/components/ui/select';
import { useParamChange } from './use-param-change';

type FilterSelectProps = {
  /** The URL parameter. */
  param: string;
  /** The accessible name, e.g. "Status". */
  label: string;
  /** The option without a filter, e.g. "All statuses". */
  allLabel: string;
  /** A string is its own label. */
  options: readonly (string | { value: string; label: string })[];
  className?: string;
};

/** A select that filters a list. Two of them share a row on phones. */
export function FilterSelect({
  param,
  label,
  allLabel,
  options: given,
  className = 'w-[calc(50%-0.25rem)] sm:w-40',
}: FilterSelectProps) {
  const value = useSearchParams().get(param) ?? '';
  const { pending, change } = useParamChange();
  const options = given.map((option) => (typeof option === 'string' ? { value: option, label: option } : option));
  return (
    <Select
      size="sm"
      aria-label={label}
      aria-busy={pending}
      className={className}
      value={options.some((option) => option.value === value) ? value : ''}
      onChange={(event) => change({ [param]: event.target.value })}
    >
      <option value="">{allLabel}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}
