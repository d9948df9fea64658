'use client';

import { useState } from 'react';

export type ProjectOption = {
  id: string;
  domain: string;
  targetUrl: string;
  /** The first keyword. */
  keyword: string;
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
 * The project selection of an order.
 * @param wanted the id selected first; if it is unknown, the only project is selected, or of several the one of the last
 *   order
 */
export function useProjectChoice(given: readonly ProjectOption[], wanted: string): ProjectChoice {
  const [made, setMade] = useState<readonly ProjectOption[]>([]);
  const projects = [...made, ...given.filter(({ id }) => made.every((one) => one.id !== id))];
  const [projectId, choose] = useState(() => {
    const only = projects.length === 1 ? projects[0] : undefined;
    const begin = projects.find(({ id }) => id === wanted) ?? only ?? projects.find(({ isLast }) => isLast);
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
