import { route } from '@/lib/auth/route';
import { projectIdParams, projectResponse, projectView, updateProjectBody } from '@/lib/projects/contract';
import { deleteProject, getProject, updateProject } from '@/lib/projects/projects';

const one = { access: 'account:orders', params: projectIdParams } as const;
const change = { ...one, scope: 'orders:write' } as const;

export const GET = route(
  { ...one, summary: "Returns one of the caller's projects.", response: projectResponse, errors: ['not_found'] },
  async ({ actor, params }) => projectView(await getProject(actor, params.id)),
);

export const PUT = route(
  {
    ...change,
    summary: "Changes one of the caller's projects. Its orders keep their data.",
    response: projectResponse,
    errors: ['not_found', 'conflict'],
    body: updateProjectBody,
  },
  async ({ actor, params, body }) => projectView(await updateProject(actor, params.id, body)),
);

export const DELETE = route(
  { ...change, summary: "Deletes one of the caller's projects.", errors: ['not_found'] },
  ({ actor, params }) => deleteProject(actor, params.id),
);
