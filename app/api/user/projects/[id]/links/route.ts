import { route } from '@/lib/auth/route';
import { getProjectLinks, projectLinksQuery, projectLinksResponse } from '@/lib/orders/order/project-figures';
import { projectIdParams } from '@/lib/projects/contract';
import { getProject } from '@/lib/projects/projects';

export const GET = route(
  {
    access: 'account:orders',
    summary: 'Lists the live links of an own project with the results of their newest checks.',
    params: projectIdParams,
    query: projectLinksQuery,
    response: projectLinksResponse,
    errors: ['not_found'],
  },
  async ({ actor, params, query }) => getProjectLinks((await getProject(actor, params.id)).id, query),
);
