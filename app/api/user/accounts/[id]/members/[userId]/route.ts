import { memberParams, memberResponse, memberView, updateMemberBody } from '@/lib/accounts/contract';
import { removeMember } from '@/lib/accounts/remove-member';
import { updateMember } from '@/lib/accounts/update-member';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';

const one = { access: 'session', scope: 'none', recentAuthentication: true, params: memberParams } as const;

export const PATCH = route(
  {
    ...one,
    summary: 'Changes the role, the projects or the monthly limit of a member.',
    description:
      'It applies from the next request of the member on. With a role that has less rights, the API tokens of the member in this account are revoked. The last owner cannot be demoted (409).',
    response: memberResponse,
    errors: ['not_found', 'forbidden', 'conflict', 'unprocessable'],
    body: updateMemberBody,
  },
  async ({ actor, params, body }) => {
    const member = await updateMember(actor, { accountId: params.id, userId: params.userId }, body);
    deliverAfterResponse();
    return memberView(member);
  },
);

export const DELETE = route(
  {
    ...one,
    summary: 'Removes a member from an account; each member can leave.',
    description:
      'Access ends at the next request, and the API tokens of the member in this account are revoked. The last owner, and the person of a personal account, cannot leave (409).',
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  async ({ actor, params }) => {
    await removeMember(actor, { accountId: params.id, userId: params.userId });
    deliverAfterResponse();
  },
);
