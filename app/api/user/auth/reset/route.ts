import { systemActor } from '@/lib/auth/actor';
import { resetPassword } from '@/lib/auth/reset-password';
import { resetBody } from '@/lib/auth/schemas';
import { route } from '@/lib/http/route';
import { consumeLimit } from '@/lib/limits/consume';

export const POST = route({ access: 'public', body: resetBody }, async ({ body, ip, requestId }) => {
  await consumeLimit('reset', { account: '', address: ip });
  await resetPassword(systemActor('Password reset', 'web', { ip, requestId }), body.token, body.password);
});
