import { route } from '@/lib/auth/route';
import { proposeAnchorsQuery, proposedAnchorsResponse } from '@/lib/projects/anchors/contract';
import { proposeAnchors } from '@/lib/projects/anchors/propose';
import { projectIdParams } from '@/lib/projects/contract';

export const GET = route(
  {
    access: 'account:orders',
    summary: 'Proposes anchors for the next links of an own project, which bring its anchors closer to the plan.',
    params: projectIdParams,
    query: proposeAnchorsQuery,
    response: proposedAnchorsResponse,
    errors: ['not_found'],
  },
  async ({ actor, params, query }) => ({ anchors: await proposeAnchors(actor, params.id, query.count) }),
);
