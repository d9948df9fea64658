import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { createdTokenResponse, createTokenBody, tokenResponse } from '@/lib/developers/tokens/schemas';
import { createToken, listTokens } from '@/lib/developers/tokens/tokens';
import { deliverAfterResponse } from '@/lib/mail/deliver';

export const GET = route(
  {
    access: 'account:programs',
    scope: 'none',
    summary:
      "Lists the caller's API tokens that are not revoked, newest first; for an owner of a team those of all its members.",
    response: z.array(tokenResponse),
  },
  async ({ actor }) => listTokens(actor),
);

export const POST = route(
  {
    access: 'account:programs',
    scope: 'none',
    recentAuthentication: true,
    summary: 'Creates an API token. The response contains it once.',
    description: 'The owner is notified by email. Staff can give it permissions that they hold themselves.',
    response: createdTokenResponse,
    status: 201,
    errors: ['conflict', 'not_configured'],
    body: createTokenBody,
  },
  async ({ actor, body }) => {
    const created = await createToken(actor, body);
    deliverAfterResponse();
    return created;
  },
);
