import { knowsAddress } from '@/lib/auth/knows-address';
import { resendVerification } from '@/lib/auth/resend-verification';
import { emailBody } from '@/lib/auth/schemas';
import { afterAnswer } from '@/lib/http/after-answer';
import { route } from '@/lib/http/route';
import { consumeLimit } from '@/lib/limits/consume';
import { deliverMails } from '@/lib/mail/deliver';

export const POST = route(
  {
    access: 'public',
    summary: 'Mails the verification link again; answers alike whether the e-mail is known.',
    errors: ['rate_limited'],
    body: emailBody,
  },
  async ({ body, ip }) => {
    await consumeLimit('resend', { account: body.email, address: ip }, () => knowsAddress(body.email, ip));
    // After the answer, so that its time does not tell whether the account waits for its verification.
    afterAnswer('resend', async () => {
      await resendVerification(body.email);
      await deliverMails();
    });
  },
);
