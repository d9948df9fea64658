import { ownPasswordInput, reauthenticationResponse } from '@/lib/auth/contract';
import { reauthenticate } from '@/lib/auth/recent-authentication';
import { route } from '@/lib/auth/route';

/** Returns the data of the reauthentication dialog, and whether it is required. */
export const GET = route(
  {
    access: 'session',
    scope: 'none',
    beforeTwoStep: true,
    summary: 'Returns whether the password was confirmed in this session within the last five minutes.',
    response: reauthenticationResponse,
  },
  async ({ actor }) => ({ email: actor.email, isRecent: actor.hasRecentAuthentication }),
);

export const POST = route(
  {
    access: 'session',
    scope: 'none',
    beforeTwoStep: true,
    summary: 'Confirms the password for operations that require a confirmation within the last five minutes.',
    errors: ['rate_limited'],
    body: ownPasswordInput,
  },
  ({ actor, body }) => reauthenticate(actor, body.password),
);
