import { render } from '@react-email/render';
import { createElement } from 'react';
import type { Actor } from '../auth/actor';
import { env } from '../env';
import { newId } from '../ids';
import { sendMail } from '../mail/send';
import { TestMail } from '../mail/templates/test-mail';
import type { ConnectionResult } from '../payments/test-connection';
import { getBranding } from '../settings/get-branding';

/** Sends a mail to whoever asks, past the outbox, so that the provider's answer is known at once. */
export async function testMail({ email }: Actor): Promise<ConnectionResult> {
  const branding = await getBranding();
  const element = createElement(TestMail, { branding, appUrl: env().APP_URL });
  const [html, text] = await Promise.all([render(element), render(element, { plainText: true })]);
  const subject = `Test e-mail of ${branding.siteName}`;
  const result = await sendMail({ id: newId(), to: email, subject, html, text });
  if (result.outcome === 'sent') return { ok: true, message: `Resend took a mail for ${email}. Look into its inbox.` };
  return { ok: false, message: `Resend did not take the mail: ${result.error}`.slice(0, 300) };
}
