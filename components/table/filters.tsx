'use client';

import { useSearchParams } from 'next/navigation';
import { listOptions, Select, type SelectOptions } from '@/components/ui/controls';
import { useParamChange } from './use-param-change';

type FilterSelectProps = {
  /** The URL parameter. */
  param: string;
  /** The accessible name, e.g. "Status". */
  label: string;
  /** The option without a filter, e.g. "All statuses". */
  allLabel: string;
  options: SelectOptions;
  className?: string;
  /** Called when the pointer or the focus reaches it, e.g. to load the options. */
  onApproach?: () => void;
};

/** Renders a select that filters a list. Two of them share a row on phones. */
export function FilterSelect(props: FilterSelectProps) {
  const { param, label, allLabel, options, className = 'w-[calc(50%-0.25rem)] sm:w-40', onApproach } = props;
  const value = useSearchParams().get(param) ?? '';
  const { pending, change } = useParamChange();
  return (
    <Select
      size="sm"
      aria-label={label}
      aria-busy={pending}
      className={className}
      value={listOptions(options).some((option) => option.value === value) ? value : ''}
      options={options}
      placeholder={allLabel}
      onPointerEnter={onApproach}
      onFocus={onApproach}
      onChange={(event) => change({ [param]: event.target.value })}
    />
  );
}
