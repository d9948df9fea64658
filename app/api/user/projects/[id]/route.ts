import { route } from '@/lib/http/route';
import { deleteProject } from '@/lib/projects/delete';
import { projectIdParams } from '@/lib/projects/schemas';

export const DELETE = route({ access: 'session', params: projectIdParams }, ({ actor, params }) =>
  deleteProject(actor, params.id),
);
