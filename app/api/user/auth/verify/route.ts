import { systemActor } from '@/lib/access/actor';
import { verifyQuery, verifyResponse } from '@/lib/auth/contract';
import { route } from '@/lib/auth/route';
import { verifyEmail } from '@/lib/auth/verify-email';

export const GET = route(
  {
    access: 'public',
    summary: 'Confirms an email address with the emailed token.',
    query: verifyQuery,
    response: verifyResponse,
  },
  async ({ query, ip, requestId }) => ({
    ok: true as const,
    ...(await verifyEmail(systemActor('Email verification', 'web', { ip, requestId }), query.token)),
  }),
);
