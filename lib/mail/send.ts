import { Resend } from 'resend';
import { env } from '@/lib/env';

import { defaultBranding } from '@/lib/settings/branding/branding';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { listHeaders, type OutgoingMail, type SendResult, sendBySmtp } from './smtp';

/** The timeout of one request to Resend. */
export const sendTimeoutMs = 15_000;

/** The wait time when a rejection does not specify one. */
const defaultWaitSeconds = 60;
/** The wait time for an exhausted daily or monthly quota, whose reset time is unknown. */
const quotaWaitSeconds = 60 * 60;

/** Returns the configured provider; null if mails wait in the outbox. */
export function getMailProvider(): 'Resend' | 'SMTP' | null {
  const { RESEND_API_KEY, SMTP_URL } = env();
  return SMTP_URL ? 'SMTP' : RESEND_API_KEY ? 'Resend' : null;
}

/**
 * Sends a mail with the configured provider. Does not throw for errors of the provider or the network.
 * @param isTest for a mail that an admin sends to test the configuration
 */
export async function sendMail(mail: OutgoingMail, { isTest = false } = {}): Promise<SendResult> {
  const { RESEND_API_KEY, SMTP_URL } = env();
  if (SMTP_URL) return sendBySmtp(mail, await mailSender(mail.sender?.name), SMTP_URL, isTest);
  if (RESEND_API_KEY) return sendByResend(mail, RESEND_API_KEY);
  return { outcome: 'postponed', waitSeconds: quotaWaitSeconds, error: 'Neither RESEND_API_KEY nor SMTP_URL is set.' };
}

/**
 * Sends a mail with its id as idempotency key: a retry after a lost response does not send it twice (the key is valid
 * for 24 hours).
 */
async function sendByResend(
  { id, createdAt: _, sender, ...message }: OutgoingMail,
  apiKey: string,
): Promise<SendResult> {
  const { RESEND_BASE_URL } = env();
  const resend = new Resend(apiKey, RESEND_BASE_URL ? { baseUrl: RESEND_BASE_URL } : undefined);
  const from = await mailSender(sender?.name);
  const signal = AbortSignal.timeout(sendTimeoutMs);
  const { error, headers } = await resend.emails.send(
    { from, ...message, ...(sender && { replyTo: sender.replyTo, headers: listHeaders(sender) }) },
    { idempotencyKey: id, signal },
  );
  if (!error) return { outcome: 'sent' };
  if (signal.aborted) return { outcome: 'failed', error: `No response within ${sendTimeoutMs / 1000} seconds.` };
  const text = `${error.name}: ${error.message}`;
  if (error.statusCode === 429)
    return { outcome: 'postponed', waitSeconds: getRetrySeconds(error.name, headers), error: text };
  return { outcome: permanentErrors.has(error.name) ? 'impossible' : 'failed', error: text };
}

/** Errors of the mail itself; the last one means that it was sent before with other content. */
const permanentErrors = new Set<string>(['validation_error', 'invalid_idempotency_key', 'invalid_idempotent_request']);

/** Returns Retry-After in seconds, or a default. */
function getRetrySeconds(name: string, headers: Record<string, string> | null): number {
  const retryAfter = Number(headers?.['retry-after'] ?? '');
  if (Number.isFinite(retryAfter) && retryAfter > 0) return Math.min(Math.ceil(retryAfter), 24 * 60 * 60);
  return name.includes('quota') ? quotaWaitSeconds : defaultWaitSeconds;
}

/**
 * Returns the sender: MAIL_FROM, or its address with the given name, or with the site's name once an admin has set one.
 * The name is quoted (RFC 5322, 3.2.4).
 */
export async function mailSender(name?: string): Promise<string> {
  const { MAIL_FROM } = env();
  const siteName = name ?? (await getBranding()).siteName;
  if (siteName === defaultBranding.siteName) return MAIL_FROM;
  const address = /<([^<>]+)>\s*$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
  return `"${siteName.replace(/["\\]/g, '\\$&')}" <${address}>`;
}
