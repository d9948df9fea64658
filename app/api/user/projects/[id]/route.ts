import { route } from '@/lib/auth/route';
import { projectIdParams, projectResponse, projectView, updateProjectBody } from '@/lib/projects/contract';
import { deleteProject, getProject, updateProject } from '@/lib/projects/projects';

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

export const PUT = route(
  {
    access: 'session',
    scope: 'orders:write',
    summary: "Changes one of the caller's projects. Its orders keep their data.",
    response: projectResponse,
    errors: ['not_found', 'conflict'],
    params: projectIdParams,
    body: updateProjectBody,
  },
  async ({ actor, params, body }) => projectView(await updateProject(actor, params.id, body)),
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
