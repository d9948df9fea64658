import { joinAccount } from '@/lib/accounts/join';
import { acceptedResponse, invitationTokenParams } from '@/lib/accounts/contract';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';

export const POST = route(
  {
    access: 'session',
    scope: 'none',
    summary: 'Accepts an invitation to an account, once.',
    description: 'The caller must have the address that the invitation was sent to (403).',
    params: invitationTokenParams,
    response: acceptedResponse,
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  async ({ actor, params }) => {
    const accepted = await joinAccount(actor, params.token);
    deliverAfterResponse();
    return accepted;
  },
);
