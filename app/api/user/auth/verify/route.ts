import { systemActor } from '@/lib/access/actor';
import { route } from '@/lib/auth/route';
import { verifyQuery } from '@/lib/auth/schemas';
import { verifyEmail } from '@/lib/auth/verify-email';

export const GET = route(
  { access: 'public', summary: 'Confirms an email address with the emailed token.', query: verifyQuery },
  ({ query, ip, requestId }) => verifyEmail(systemActor('Email verification', 'web', { ip, requestId }), query.token),
);
