import {
  accountParams,
  invitationResponse,
  invitationView,
  inviteMemberBody,
  membersResponse,
  memberView,
} from '@/lib/accounts/contract';
import { inviteMember } from '@/lib/accounts/invite';
import { listInvitations, listMembers } from '@/lib/accounts/queries';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';

const members = { access: 'session', scope: 'none', params: accountParams } as const;

export const GET = route(
  {
    ...members,
    summary: 'Lists the members of an account, and the invitations that were not accepted yet.',
    response: membersResponse,
    errors: ['not_found', 'forbidden'],
  },
  async ({ actor, params }) => {
    const [list, invitations] = await Promise.all([listMembers(actor, params.id), listInvitations(actor, params.id)]);
    return { members: list.map(memberView), invitations: invitations.map(invitationView) };
  },
);

export const POST = route(
  {
    ...members,
    recentAuthentication: true,
    summary: 'Invites a person by mail to an account. An earlier invitation of the address ends.',
    description:
      'Owners invite with each role, managers Buyers and Clients within their own projects and limit. The invitation works for a user with this address, for 7 days.',
    response: invitationResponse,
    status: 201,
    errors: ['not_found', 'forbidden', 'conflict', 'unprocessable', 'rate_limited'],
    body: inviteMemberBody,
  },
  async ({ actor, params, body }) => {
    const invitation = invitationView(await inviteMember(actor, params.id, body));
    deliverAfterResponse();
    return invitation;
  },
);
