import { systemActor } from '@/lib/auth/actor';
import { resetPassword } from '@/lib/auth/reset-password';
import { resetBody } from '@/lib/auth/schemas';
import { route } from '@/lib/http/route';
import { consumeLimit } from '@/lib/limits/consume';

export const POST = route(
  {
    access: 'public',
    summary: 'Sets a new password with the mailed token.',
    errors: ['rate_limited'],
    body: resetBody,
  },
  async ({ body, ip, requestId }) => {
    await consumeLimit('reset', { account: '', address: ip });
    await resetPassword(systemActor('Password reset', 'web', { ip, requestId }), body.token, body.password);
  },
);
