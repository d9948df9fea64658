import type { AccountScope } from '@/lib/access/actor';

/** The parameter of the URL for no project. */
export const noProject = 'none';

/** Which projects the buyer sees; only who sees all can choose sites for none. */
type Scope = Pick<AccountScope, 'projectIds'>;

/** Lists the choices of a project: each by its id, and none. Empty without a project. */
export const listProjectOptions = (
  projects: readonly { id: string; domain: string }[],
  { projectIds }: Scope,
): { value: string; label: string }[] => [
  ...projects.map(({ id, domain }) => ({ value: id, label: domain })),
  ...(projects.length > 0 && projectIds === null ? [{ value: noProject, label: 'No project' }] : []),
];

/**
 * Finds the project for which a buyer chooses sites: that of the URL, or of the cart that was changed last, or the only
 * one, or that of the last order; for who cannot choose sites for none, the first one otherwise.
 * @param carts the carts with sites, the last changed one first
 * @param requested the parameter of the URL; an id, or `noProject`
 * @returns null for no project
 */
export function findCurrentProject<Project extends { id: string; isLast: boolean }>(
  projects: readonly Project[],
  carts: readonly { projectId: string | null }[],
  requested: string,
  { projectIds }: Scope,
): Project | null {
  const other = (projectIds === null ? null : projects[0]) ?? null;
  if (requested === noProject) return other;
  const named = projects.find(({ id }) => id === requested);
  if (named) return named;
  const [last] = carts;
  if (last) return projects.find(({ id }) => id === last.projectId) ?? other;
  return (projects.length === 1 ? projects[0] : projects.find(({ isLast }) => isLast)) ?? other;
}
