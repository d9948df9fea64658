import { systemActor } from '@/lib/access/actor';
import { resetBody } from '@/lib/auth/contract';
import { resetPassword } from '@/lib/auth/reset-password';
import { route } from '@/lib/auth/route';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

export const POST = route(
  {
    access: 'public',
    summary: 'Sets a new password with the emailed token.',
    errors: ['rate_limited'],
    body: resetBody,
  },
  async ({ body, ip, requestId }) => {
    await consumeLimit('reset', { account: '', address: ip });
    await resetPassword(systemActor('Password reset', 'web', { ip, requestId }), body.token, body.password);
  },
);
