'use client';

import { Checkbox } from '@/components/ui/controls';
import { buyerFilters, type CheckFilter, checkFilters } from './filter-params';
import type { ReadParam } from './list-active-filters';
import { useSettledParams } from './use-settled-params';

/** Renders the filters by checkboxes, in a line. */
export function CheckFilters({ read }: { read: ReadParam }) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      {[...checkFilters, ...buyerFilters.filter(({ label }) => label)].map((filter) => (
        <CheckGroup key={filter.param} filter={filter} read={read} />
      ))}
    </div>
  );
}

function CheckGroup({ filter, read }: { filter: CheckFilter; read: ReadParam }) {
  const { label, param, values: names } = filter;
  const { values, pending, apply } = useSettledParams([param], read);
  const chosen = values[param] ?? [];
  const isGroup = Object.values(names).some(Boolean);
  return (
    <fieldset
      aria-label={isGroup ? label : undefined}
      aria-busy={pending || undefined}
      className="flex flex-wrap gap-x-4 text-ink text-sm"
    >
      {isGroup ? <span className="font-medium text-xs leading-6">{label}</span> : null}
      {Object.entries(names).map(([value, name]) => (
        <Checkbox
          key={value}
          label={name || label}
          checked={chosen.includes(value)}
          onChange={({ target: { checked } }) =>
            apply({ [param]: checked ? [...chosen, value] : chosen.filter((one) => one !== value) })
          }
        />
      ))}
    </fieldset>
  );
}
