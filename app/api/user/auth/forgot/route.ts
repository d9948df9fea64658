import { knowsAddress } from '@/lib/auth/knows-address';
import { requestReset } from '@/lib/auth/request-reset';
import { emailBody } from '@/lib/auth/schemas';
import { afterAnswer } from '@/lib/http/after-answer';
import { route } from '@/lib/http/route';
import { consumeLimit } from '@/lib/limits/consume';
import { deliverMails } from '@/lib/mail/deliver';

export const POST = route(
  {
    access: 'public',
    summary: 'Mails a link that resets a password; answers alike whether the e-mail is known.',
    errors: ['rate_limited'],
    body: emailBody,
  },
  async ({ body, ip }) => {
    await consumeLimit('forgot', { account: body.email, address: ip }, () => knowsAddress(body.email, ip));
    // After the answer, so that its time does not tell whether there is an account.
    afterAnswer('forgot', async () => {
      await requestReset(body.email);
      await deliverMails();
    });
  },
);
