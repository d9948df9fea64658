'use client';

import { useId } from 'react';
import { useParamChange } from '@/components/table/use-param-change';
import { Checkbox, Select } from '@/components/ui/controls';

type ProjectPickerProps = {
  /** From `listProjectOptions`. */
  options: readonly { value: string; label: string }[];
  current: string;
  /** Whether the sites that link to the project are left out; null without a project. */
  isLinkedHidden: boolean | null;
};

/** Selects the project for which sites are chosen, and whether the sites that link to it are left out. */
export function ProjectPicker({ options, current, isLinkedHidden }: ProjectPickerProps) {
  const { pending, change } = useParamChange();
  const id = useId();
  if (options.length === 0) return null;
  return (
    <div aria-busy={pending || undefined} className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink text-sm">
      <span className="flex min-w-0 items-center gap-2">
        <label htmlFor={id} className="text-muted">
          Project
        </label>
        <Select
          id={id}
          size="sm"
          className="w-56"
          value={current}
          options={options}
          onChange={({ target: { value } }) => change({ projectId: value, hideLinked: null })}
        />
      </span>
      {isLinkedHidden === null ? null : (
        <Checkbox
          label="Hide sites that link already"
          checked={isLinkedHidden}
          onChange={({ target: { checked } }) => change({ projectId: current, hideLinked: checked ? '1' : '0' })}
        />
      )}
    </div>
  );
}
