import { route } from '@/lib/auth/route';
import { deleteProject } from '@/lib/projects/delete';
import { projectIdParams } from '@/lib/projects/schemas';

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
