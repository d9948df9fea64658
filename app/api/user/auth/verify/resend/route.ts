import { emailBody } from '@/lib/auth/contract';
import { isKnownAddress } from '@/lib/auth/known-device';
import { route } from '@/lib/auth/route';
import { resendVerification } from '@/lib/auth/verify-email';
import { deliverMails } from '@/lib/mail/deliver';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

export const POST = route(
  {
    access: 'public',
    summary: "Emails the verification link again; the response doesn't reveal whether the email is known.",
    errors: ['rate_limited'],
    body: emailBody,
  },
  async ({ body, ip }) => {
    await consumeLimit(
      'resend',
      { account: body.email, address: ip },
      { isExempt: () => isKnownAddress(body.email, ip) },
    );
    // After the response, so that the response time does not disclose whether the account awaits verification.
    runAfterResponse('resend', async () => {
      await resendVerification(body.email);
      await deliverMails();
    });
  },
);
