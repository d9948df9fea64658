'use client';

import { useParamChange } from '@/components/table/use-param-change';
import { Checkbox, Select } from '@/components/ui/controls';
import { type FilterProject, isLinkedHidden, linkedFilter, noProject, projectParam } from './filter-params';

type ProjectPickerProps = {
  projects: readonly { id: string; domain: string }[];
  current: FilterProject;
  /** The value of the filter in the URL. */
  hideLinked: string | undefined;
};

/** Selects the project for which sites are chosen, and whether the sites that link to it are left out. */
export function ProjectPicker({ projects, current, hideLinked }: ProjectPickerProps) {
  const { pending, change } = useParamChange();
  if (projects.length === 0) return null;
  return (
    <div aria-busy={pending || undefined} className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink text-sm">
      <label className="flex min-w-0 items-center gap-2">
        <span className="text-muted">Project</span>
        <Select
          size="sm"
          className="w-56"
          value={current?.id ?? noProject}
          options={[
            ...projects.map(({ id, domain }) => ({ value: id, label: domain })),
            { value: noProject, label: 'No project' },
          ]}
          onChange={({ target: { value } }) => change({ [projectParam]: value, [linkedFilter.param]: null })}
        />
      </label>
      {current ? (
        <Checkbox
          label={linkedFilter.label}
          checked={isLinkedHidden(current, hideLinked)}
          onChange={({ target: { checked } }) =>
            change({ [projectParam]: current.id, [linkedFilter.param]: checked ? '1' : '0' })
          }
        />
      ) : null}
    </div>
  );
}
