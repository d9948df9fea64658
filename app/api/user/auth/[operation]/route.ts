import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { emailBody, resetBody, verifyQuery, verifyResponse } from '@/lib/auth/contract';
import { currentActor } from '@/lib/auth/current-actor';
import { isKnownAddress } from '@/lib/auth/known-device';
import { loginRoute, logoutRoute, meRoute } from '@/lib/auth/portal-routes';
import { registerRoute } from '@/lib/auth/register';
import { requestReset, resetPassword } from '@/lib/auth/reset-password';
import { joinRoutes, route } from '@/lib/auth/route';
import { verifyEmail } from '@/lib/auth/verify-email';
import { deliverMails } from '@/lib/mail/deliver';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

/**
 * Checks that a script of this website sends the request, which browsers say in headers that no page can set. A link or
 * image elsewhere must not sign its reader in to an account of the sender.
 */
const isOwnScript = (headers: Headers) =>
  headers.get('sec-fetch-site') === 'same-origin' && headers.get('sec-fetch-dest') === 'empty';

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
        description: 'From a script of this website it also signs a customer or seller in.',
        query: verifyQuery,
        response: verifyResponse,
      },
      async ({ query, ip, requestId, request }) => {
        const caller = systemActor(systemActors.emailVerification, 'web', { ip, requestId });
        const visit = isOwnScript(request.headers) && {
          ip,
          userAgent: request.headers.get('user-agent') ?? '',
          signedInAs: (await currentActor())?.userId ?? null,
        };
        return { ok: true as const, ...(await verifyEmail(caller, query.token, visit || null)) };
      },
    ),
  },
});
