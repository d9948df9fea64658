import { Resend } from 'resend';
import { env } from '../env';

export type OutgoingMail = { id: string; to: string; subject: string; html: string; text: string };

/** What became of an attempt; `final` means another one would fail the same way. */
export type SendResult = { ok: true } | { ok: false; final: boolean; error: string };

/**
 * Hands a mail to Resend, with the mail's id as idempotency key: after a lost answer the same mail is not sent twice
 * (the key is kept 24 hours). Never throws for the provider's or the network's failures.
 */
export async function sendMail(mail: OutgoingMail): Promise<SendResult> {
  const { RESEND_API_KEY, RESEND_BASE_URL, MAIL_FROM } = env();
  if (!RESEND_API_KEY) return { ok: false, final: false, error: 'RESEND_API_KEY is not set.' };
  const resend = new Resend(RESEND_API_KEY, RESEND_BASE_URL ? { baseUrl: RESEND_BASE_URL } : undefined);
  const { id, ...message } = mail;
  const { error } = await resend.emails.send({ from: MAIL_FROM, ...message }, { idempotencyKey: id });
  if (!error) return { ok: true };
  return {
    ok: false,
    final: error.name === 'validation_error' || error.name === 'invalid_idempotency_key',
    error: `${error.name}: ${error.message}`,
  };
}
