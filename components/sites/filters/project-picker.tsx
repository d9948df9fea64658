'use client';

import { useId } from 'react';
import { useParamChange } from '@/components/table/use-param-change';
import { Checkbox, Select } from '@/components/ui/controls';
import { noProject } from '@/lib/orders/carts/current-project';

type ProjectPickerProps = {
  projects: readonly { id: string; domain: string }[];
  /** The id of the current project; undefined for none. */
  current: string | undefined;
  /** Whether the sites that link to it are left out. */
  isLinkedHidden: boolean;
};

/** Selects the project for which sites are chosen, and whether the sites that link to it are left out. */
export function ProjectPicker({ projects, current, isLinkedHidden }: ProjectPickerProps) {
  const { pending, change } = useParamChange();
  const id = useId();
  if (projects.length === 0) return null;
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
          value={current ?? noProject}
          options={[
            ...projects.map(({ id, domain }) => ({ value: id, label: domain })),
            { value: noProject, label: 'No project' },
          ]}
          onChange={({ target: { value } }) => change({ projectId: value, hideLinked: null })}
        />
      </span>
      {current ? (
        <Checkbox
          label="Hide sites that link already"
          checked={isLinkedHidden}
          onChange={({ target: { checked } }) => change({ projectId: current, hideLinked: checked ? '1' : '0' })}
        />
      ) : null}
    </div>
  );
}
