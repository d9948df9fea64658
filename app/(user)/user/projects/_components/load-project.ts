import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { isAdminRole } from '@/lib/access/permissions';
import { requirePage } from '@/lib/auth/page-guard';
import { AppError } from '@/lib/errors';
import { getProject } from '@/lib/projects/queries';
import { projectIdParams } from '@/lib/projects/schemas';
import { type ProjectView, projectView } from '@/lib/projects/views';

/** The reader's own project that an address names, once for a request. Answers like a page that is not there without one. */
export const loadProject = cache(async (id: string): Promise<ProjectView> => {
  const actor = await requirePage('user', 'session');
  // As the list (spec 001, section 6).
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
