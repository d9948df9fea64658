import { createElement } from 'react';
import type { Executor } from '../../db/client';
import { env } from '../env';
import { type Mail, queueMail } from '../mail/queue';
import { VerifyEmailMail } from '../mail/templates/verify-email';
import { createEmailToken, emailTokenSeconds } from './email-token';

/** Makes a new verification link and queues its mail; earlier links stop working. */
export async function queueVerification(tx: Executor, user: { id: string; email: string }): Promise<void> {
  await queueMail(tx, verificationMail(user.email, await createEmailToken(tx, user.id, 'verify-email')));
}

/** The mail with a verification link. */
export function verificationMail(email: string, token: string): Mail {
  return {
    kind: 'verify-email',
    to: email,
    subject: 'Confirm your email address',
    body: (context) =>
      createElement(VerifyEmailMail, { ...context, url: `${env().APP_URL}/verify-email?token=${token}` }),
    expiresInSeconds: emailTokenSeconds['verify-email'],
  };
}
