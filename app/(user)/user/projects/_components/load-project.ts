import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { isAdminRole } from '@/lib/access/permissions';
import { requirePage } from '@/lib/auth/page-guard';
import { AppError } from '@/lib/errors';
import { type ProjectView, projectIdParams, projectView } from '@/lib/projects/contract';
import { getProject } from '@/lib/projects/projects';

/**
 * Returns the user's own project. Cached for the request.
 * @throws notFound() if the project does not exist or is not the user's
 */
export const loadProject = cache(async (id: string): Promise<ProjectView> => {
  const actor = await requirePage('user', 'account:orders');
  // Admins use the admin console instead.
  if (isAdminRole(actor.role)) redirect('/dashboard');
  const params = projectIdParams.safeParse({ id });
  if (!params.success) notFound();
  try {
    return projectView(await getProject(actor, params.data.id));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') notFound();
    throw thrown;
  }
});
