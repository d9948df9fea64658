import { createElement } from 'react';
import type { Executor } from '../../db/client';
import { env } from '../env';
import { queueMail } from '../mail/queue';
import { VerifyEmailMail } from '../mail/templates/verify-email';
import { createEmailToken } from './email-token';

/** Makes a new verification link and queues its mail; earlier links stop working. */
export async function queueVerification(tx: Executor, user: { id: string; email: string }): Promise<void> {
  const token = await createEmailToken(tx, user.id, 'verify-email');
  await queueMail(tx, {
    kind: 'verify-email',
    to: user.email,
    subject: 'Confirm your email address',
    body: (context) =>
      createElement(VerifyEmailMail, { ...context, url: `${env().APP_URL}/verify-email?token=${token}` }),
  });
}
