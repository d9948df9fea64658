'use client';

import { useId } from 'react';
import { Select } from '../ui/select';
import { useParamChange } from './use-param-change';

type RowsSelectProps = { param: string; sizes: readonly number[]; value: number; defaultRows: number };

/** How many rows a page has. The default leaves the address clean. */
export function RowsSelect({ param, sizes, value, defaultRows }: RowsSelectProps) {
  const { pending, change } = useParamChange();
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="max-sm:sr-only">
        Rows per page
      </label>
      <Select
        id={id}
        size="sm"
        className="w-20"
        value={value}
        disabled={pending}
        onChange={(event) => {
          const rows = Number(event.target.value);
          change({ [param]: rows === defaultRows ? null : rows });
        }}
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </Select>
    </div>
  );
}
