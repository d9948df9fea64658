'use client';

import { useState } from 'react';

export type ProjectOption = { id: string; domain: string };

export type ProjectChoice = {
  /** What can be chosen, with those made meanwhile. */
  projects: readonly ProjectOption[];
  /** The chosen project's id; '' for none. */
  projectId: string;
  choose: (id: string) => void;
  /** A project that was just made is the chosen one. */
  add: (project: ProjectOption) => void;
  /** What is wrong with the choice (spec 001, section 8); null when one is chosen. */
  complaint: string | null;
};

/**
 * Which project an order is for.
 * @param wanted the id to begin with; where it is none of them, the only one there is
 */
export function useProjectChoice(given: readonly ProjectOption[], wanted: string): ProjectChoice {
  const [made, setMade] = useState<readonly ProjectOption[]>([]);
  const projects = [...made, ...given.filter(({ id }) => made.every((one) => one.id !== id))];
  const [projectId, choose] = useState(() => {
    const begin = projects.find(({ id }) => id === wanted) ?? (projects.length === 1 ? projects[0] : undefined);
    return begin?.id ?? '';
  });
  const none = projects.length === 0 ? 'Create a project first.' : 'Select a project.';
  return {
    projects,
    projectId,
    choose,
    add: (project) => {
      setMade([project, ...made]);
      choose(project.id);
    },
    complaint: projectId === '' ? none : null,
  };
}
