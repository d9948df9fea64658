import { emailBody } from '@/lib/auth/contract';
import { isKnownAddress } from '@/lib/auth/known-device';
import { requestReset } from '@/lib/auth/reset-password';
import { route } from '@/lib/auth/route';
import { deliverMails } from '@/lib/mail/deliver';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

export const POST = route(
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
      {
        isExempt: () => isKnownAddress(body.email, ip),
      },
    );
    // After the response, so that the response time does not disclose whether the account exists.
    runAfterResponse('forgot', async () => {
      await requestReset(body.email);
      await deliverMails();
    });
  },
);
