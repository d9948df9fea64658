'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { SelectField } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { retryChunk } from '@/components/ui/retry-chunk';

export type ProjectOption = {
  id: string;
  domain: string;
  targetUrl: string;
  /** Whether the user's last order was for this project. */
  isLast?: boolean;
};

export type ProjectChoice = {
  /** The projects to choose from, including those created here. */
  projects: readonly ProjectOption[];
  /** The selected project's id; '' for none. */
  projectId: string;
  /** The selected project; undefined for none. */
  project: ProjectOption | undefined;
  choose: (id: string) => void;
  /** Adds a created project and selects it. */
  add: (project: ProjectOption) => void;
  /** The validation error; null when a project is selected. */
  complaint: string | null;
};

/** The name of the field, as in the API. */
export const projectFieldName = 'projectId';

/**
 * Holds the project selection of an order.
 * @param requested the id selected first; if it is unknown, the only project is selected, or of several the one of the last
 * order
 */
export function useProjectChoice(input: readonly ProjectOption[], requested: string): ProjectChoice {
  const [made, setMade] = useState<readonly ProjectOption[]>([]);
  const projects = [...made, ...input.filter(({ id }) => made.every((one) => one.id !== id))];
  const [projectId, choose] = useState(() => {
    const only = projects.length === 1 ? projects[0] : undefined;
    const begin = projects.find(({ id }) => id === requested) ?? only ?? projects.find(({ isLast }) => isLast);
    return begin?.id ?? '';
  });
  const none = projects.length === 0 ? 'Create a project first.' : 'Select a project.';
  return {
    projects,
    projectId,
    project: projects.find(({ id }) => id === projectId),
    choose,
    add: (project) => {
      setMade([project, ...made]);
      choose(project.id);
    },
    complaint: projectId === '' ? none : null,
  };
}

/** Loaded with the first opening, with its list of countries. */
const ProjectDialog = dynamic(
  retryChunk(() => import('./project-dialog').then((module) => module.ProjectDialog)),
  { ssr: false },
);

type ProjectFieldProps = {
  choice: ProjectChoice;
  niches: readonly string[];
  postTypes: readonly string[];
  /** Whether the user may create a project. */
  mayCreate: boolean;
  error?: string | undefined;
  /** Called when the selection changes. */
  onChange?: () => void;
};

/** Selects the project of an order, or creates a new one. */
export function ProjectField({ choice, niches, postTypes, mayCreate, error, onChange }: ProjectFieldProps) {
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
        {mayCreate ? (
          <Button className="mt-[1.625rem]" icon={<Icon name="plus" />} onClick={() => setCreating(true)}>
            New project
          </Button>
        ) : null}
      </div>
      {isMounted ? (
        <ProjectDialog
          open={creating}
          onOpenChange={setCreating}
          niches={niches}
          postTypes={postTypes}
          failure={() => 'Create project failed'}
          onSaved={(project) => {
            add(project);
            onChange?.();
          }}
        />
      ) : null}
    </>
  );
}
