import { createElement } from 'react';
import { env } from '../env';
import type { Mail } from '../mail/queue';
import { AccountClosedMail } from '../mail/templates/account-closed';
import { AccountExistsMail } from '../mail/templates/account-exists';
import { verificationMail } from './verification-mail';

/** What an address turned out to be: new, an account's already, or that of an account which was deleted. */
export type RegistrationOutcome = 'new' | 'known' | 'closed';

/**
 * The one mail that follows a registration. Only the mailbox tells the outcomes apart, never the screen.
 * @param token of the verification link; in the mail of a new account alone
 */
export function registrationMail(
  outcome: RegistrationOutcome,
  { email, role, token }: { email: string; role: 'User' | 'Seller'; token: string },
): Mail {
  if (outcome === 'new') return verificationMail(email, token);
  if (outcome === 'closed') {
    return {
      kind: 'account-closed',
      to: email,
      subject: 'Your account was closed',
      body: (context) => createElement(AccountClosedMail, context),
    };
  }
  const forgot = `${env().APP_URL}${role === 'Seller' ? '/seller/forgot' : '/user/forgot'}`;
  return {
    kind: 'account-exists',
    to: email,
    subject: 'You already have an account',
    body: (context) => createElement(AccountExistsMail, { ...context, url: forgot }),
  };
}
