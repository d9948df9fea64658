'use client';

import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { SelectField } from '@/components/form/select-field';
import { Button } from '@/components/ui/button';
import { retryChunk } from '@/components/ui/retry-chunk';
import { type ProjectChoice, projectFieldName } from './use-project-choice';

/** Loaded with the first opening, with its list of countries. */
const ProjectDialog = dynamic(
  retryChunk(() => import('./project-dialog').then((module) => module.ProjectDialog)),
  { ssr: false },
);

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
  // Stays mounted after the first opening, for the closing animation.
  const [isMounted, setMounted] = useState(false);
  if (creating && !isMounted) setMounted(true);
  return (
    <>
      <div className="flex items-start gap-2">
        <SelectField
          name={projectFieldName}
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
      {isMounted ? (
        <ProjectDialog
          open={creating}
          onOpenChange={setCreating}
          niches={niches}
          postTypes={postTypes}
          failure={() => 'Create project failed'}
          onSaved={(project) => {
            add({ ...project, keyword: project.keywords.split(', ')[0] ?? '' });
            onChange?.();
          }}
        />
      ) : null}
    </>
  );
}
