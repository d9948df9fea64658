/** The parameter of the URL for no project. */
export const noProject = 'none';

/** Lists the choices of a project: each by its id, and none. Empty without a project. */
export const listProjectOptions = (
  projects: readonly { id: string; domain: string }[],
): { value: string; label: string }[] =>
  projects.length === 0
    ? []
    : [...projects.map(({ id, domain }) => ({ value: id, label: domain })), { value: noProject, label: 'No project' }];

/**
 * Finds the project for which a buyer chooses sites: that of the URL, or of the cart that was changed last, or the only
 * one, or that of the last order.
 * @param carts the carts with sites, the last changed one first
 * @param requested the parameter of the URL; an id, or `noProject`
 * @returns null for no project
 */
export function findCurrentProject<Project extends { id: string; isLast: boolean }>(
  projects: readonly Project[],
  carts: readonly { projectId: string | null }[],
  requested: string,
): Project | null {
  if (requested === noProject) return null;
  const named = projects.find(({ id }) => id === requested);
  if (named) return named;
  const [last] = carts;
  if (last) return projects.find(({ id }) => id === last.projectId) ?? null;
  return (projects.length === 1 ? projects[0] : projects.find(({ isLast }) => isLast)) ?? null;
}
