import { createElement } from 'react';
import type { Executor } from '../../db/client';
import { env } from '../env';
import { queueMail } from '../mail/queue';
import { ConfirmEmailChangeMail } from '../mail/templates/confirm-email-change';
import { EmailChangeNotice } from '../mail/templates/email-change-notice';
import { createEmailToken, emailTokenSeconds } from './email-token';

/** Mails the new address a link that confirms it; an earlier change that waits is given up. */
export async function queueEmailChange(tx: Executor, userId: string, newEmail: string): Promise<void> {
  const token = await createEmailToken(tx, userId, 'change-email', newEmail);
  await queueMail(tx, {
    kind: 'change-email',
    to: newEmail,
    subject: 'Confirm your new email address',
    body: (context) =>
      createElement(ConfirmEmailChangeMail, { ...context, url: `${env().APP_URL}/confirm-email?token=${token}` }),
    expiresInSeconds: emailTokenSeconds['change-email'],
  });
}

/** Tells the old address of the new one. @param isDone changed already, or waiting for the confirmation */
export async function queueEmailNotice(
  tx: Executor,
  { to, newEmail, isDone }: { to: string; newEmail: string; isDone: boolean },
): Promise<void> {
  await queueMail(tx, {
    kind: 'email-change-notice',
    to,
    subject: isDone ? 'Your email address was changed' : 'Your email address is about to change',
    body: (context) => createElement(EmailChangeNotice, { ...context, newEmail, isDone }),
  });
}
