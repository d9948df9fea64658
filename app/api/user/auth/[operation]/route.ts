import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { emailBody, resetBody, verifyQuery, verifyResponse } from '@/lib/auth/contract';
import { isKnownAddress } from '@/lib/auth/known-device';
import { loginRoute, logoutRoute, meRoute } from '@/lib/auth/portal-routes';
import { registerRoute } from '@/lib/auth/register';
import { requestReset, resetPassword } from '@/lib/auth/reset-password';
import { joinRoutes, route } from '@/lib/auth/route';
import { verifyEmail } from '@/lib/auth/verify-email';
import { deliverMails } from '@/lib/mail/deliver';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  forgot: {
    POST: route(
      {
        access: 'public',
        summary: "Emails a link to reset a password; the response doesn't reveal whether the email is known.",
        errors: ['rate_limited'],
        body: emailBody,
      },
      async ({ body, ip }) => {
        await consumeLimit(
          'forgot',
          { account: body.email, address: ip },
          { isExempt: () => isKnownAddress(body.email, ip) },
        );
        // After the response, so that the response time does not disclose whether the account exists.
        runAfterResponse('forgot', async () => {
          await requestReset(body.email);
          await deliverMails();
        });
      },
    ),
  },
  login: { POST: loginRoute('user') },
  logout: { POST: logoutRoute() },
  me: { GET: meRoute('user') },
  register: { POST: registerRoute() },
  reset: {
    POST: route(
      {
        access: 'public',
        summary: 'Sets a new password with the emailed token.',
        errors: ['rate_limited'],
        body: resetBody,
      },
      async ({ body, ip, requestId }) => {
        await consumeLimit('reset', { account: '', address: ip });
        await resetPassword(
          systemActor(systemActors.passwordReset, 'web', { ip, requestId }),
          body.token,
          body.password,
        );
      },
    ),
  },
  verify: {
    GET: route(
      {
        access: 'public',
        summary: 'Confirms an email address with the emailed token.',
        query: verifyQuery,
        response: verifyResponse,
      },
      async ({ query, ip, requestId }) => ({
        ok: true as const,
        ...(await verifyEmail(systemActor(systemActors.emailVerification, 'web', { ip, requestId }), query.token)),
      }),
    ),
  },
});
