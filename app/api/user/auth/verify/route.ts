import { systemActor } from '@/lib/auth/actor';
import { verifyQuery } from '@/lib/auth/schemas';
import { verifyEmail } from '@/lib/auth/verify-email';
import { route } from '@/lib/http/route';

export const GET = route({ access: 'public', query: verifyQuery }, ({ query, ip, requestId }) =>
  verifyEmail(systemActor('Email verification', 'web', { ip, requestId }), query.token),
);
