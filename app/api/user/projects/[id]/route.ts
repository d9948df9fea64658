import { route } from '@/lib/auth/route';
import { deleteProject } from '@/lib/projects/delete';
import { getProject } from '@/lib/projects/queries';
import { projectIdParams } from '@/lib/projects/schemas';
import { projectResponse, projectView } from '@/lib/projects/views';

export const GET = route(
  {
    access: 'session',
    summary: "Returns one of the caller's projects.",
    response: projectResponse,
    errors: ['not_found'],
    params: projectIdParams,
  },
  async ({ actor, params }) => projectView(await getProject(actor, params.id)),
);

export const DELETE = route(
  {
    access: 'session',
    scope: 'orders:write',
    summary: "Deletes one of the caller's projects.",
    errors: ['not_found'],
    params: projectIdParams,
  },
  ({ actor, params }) => deleteProject(actor, params.id),
);
