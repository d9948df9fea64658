import { accountParams } from '@/lib/accounts/contract';
import { route } from '@/lib/auth/route';
import { policyResponse, savePolicyBody } from '@/lib/orders/requests/contract';
import { getPolicy, savePolicy } from '@/lib/orders/requests/save-limits';

const policy = { access: 'session', params: accountParams, response: policyResponse } as const;

export const GET = route(
  {
    ...policy,
    summary: 'Returns what orders of an account must keep to.',
    errors: ['not_found', 'forbidden'],
  },
  ({ actor, params }) => getPolicy(actor, params.id),
);

export const PUT = route(
  {
    ...policy,
    scope: 'none',
    summary: 'Replaces what orders of an account must keep to.',
    description:
      'An order of a site that the policy does not allow is refused with `policy` (422). A policy about sites also refuses packages, which name no sites.',
    body: savePolicyBody,
    errors: ['not_found', 'forbidden'],
  },
  ({ actor, params, body }) => savePolicy(actor, params.id, body),
);
