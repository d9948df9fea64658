import { route } from '../http/route';
import { consumeLimit } from '../limits/consume';
import { deliverSoon } from '../mail/deliver-soon';
import { systemActor } from './actor';
import { register } from './register';
import { registerBody } from './schemas';

/** POST …/auth/register, the newer and the older one: 201 for a new and a known e-mail alike. */
export const registerRoute = () =>
  route(
    {
      access: 'public',
      summary: 'Opens an account; answers alike whether the e-mail is known.',
      status: 201,
      errors: ['rate_limited', 'not_configured'],
      body: registerBody,
    },
    async ({ body, ip, requestId }) => {
      await consumeLimit('register', { account: body.email, address: ip });
      await register(systemActor('Registration', 'web', { ip, requestId }), 'User', body);
      deliverSoon();
    },
  );
