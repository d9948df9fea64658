import { systemActor } from '@/lib/auth/actor';
import { verifyQuery } from '@/lib/auth/schemas';
import { verifyEmail } from '@/lib/auth/verify-email';
import { route } from '@/lib/http/route';

export const GET = route(
  { access: 'public', summary: 'Confirms an e-mail address with the mailed token.', query: verifyQuery },
  ({ query, ip, requestId }) => verifyEmail(systemActor('Email verification', 'web', { ip, requestId }), query.token),
);
