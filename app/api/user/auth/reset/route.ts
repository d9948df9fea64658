import { systemActor } from '@/lib/auth/actor';
import { resetPassword } from '@/lib/auth/reset-password';
import { resetBody } from '@/lib/auth/schemas';
import { route } from '@/lib/http/route';

export const POST = route({ access: 'public', body: resetBody }, ({ body, ip, requestId }) =>
  resetPassword(systemActor('Password reset', 'web', { ip, requestId }), body.token, body.password),
);
