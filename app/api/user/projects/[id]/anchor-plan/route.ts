import { route } from '@/lib/auth/route';
import { anchorPlanResponse, maxPlanBytes, saveAnchorPlanBody } from '@/lib/projects/anchors/contract';
import { getAnchorPlan, saveAnchorPlan } from '@/lib/projects/anchors/plan';
import { projectIdParams } from '@/lib/projects/contract';

const one = { access: 'account:orders', params: projectIdParams, response: anchorPlanResponse } as const;

export const GET = route(
  { ...one, summary: 'Returns the anchor plan of an own project and the kinds of its anchors.', errors: ['not_found'] },
  ({ actor, params }) => getAnchorPlan(actor, params.id),
);

export const PUT = route(
  {
    ...one,
    summary: 'Sets the anchor plan of an own project: the shares, the brand words and the texts to propose.',
    scope: 'orders:write',
    errors: ['not_found', 'conflict'],
    body: saveAnchorPlanBody,
    maxBodyBytes: maxPlanBytes,
  },
  ({ actor, params, body }) => saveAnchorPlan(actor, params.id, body),
);
