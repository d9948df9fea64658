'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { SelectField } from '@/components/form/select-field';
import { Button } from '@/components/ui/button';
import { CreateProjectDialog } from './create-project-dialog';
import type { ProjectChoice } from './use-project-choice';

type ProjectFieldProps = {
  choice: ProjectChoice;
  niches: readonly string[];
  postTypes: readonly string[];
  error?: string | undefined;
  /** Called when the selection changes. */
  onChange?: () => void;
};

/** Selects the project of an order, or creates a new one. */
export function ProjectField({ choice, niches, postTypes, error, onChange }: ProjectFieldProps) {
  const { projects, projectId, choose, add } = choice;
  const [creating, setCreating] = useState(false);
  return (
    <>
      <div className="flex items-start gap-2">
        <SelectField
          name="projectId"
          label="Project"
          required
          className="min-w-0 flex-1"
          options={projects.map(({ id, domain }) => ({ value: id, label: domain }))}
          placeholder={projects.length > 0 ? 'Choose a project' : 'No project yet'}
          value={projectId}
          {...(error && { error })}
          onChange={(event) => {
            choose(event.target.value);
            onChange?.();
          }}
        />
        <Button className="mt-[1.625rem]" icon={<Plus className="size-4" />} onClick={() => setCreating(true)}>
          New project
        </Button>
      </div>
      <CreateProjectDialog
        open={creating}
        onOpenChange={setCreating}
        niches={niches}
        postTypes={postTypes}
        failure={() => 'Create project failed'}
        onCreated={(project) => {
          add({ ...project, keyword: project.keywords.split(', ')[0] ?? '' });
          onChange?.();
        }}
      />
    </>
  );
}
