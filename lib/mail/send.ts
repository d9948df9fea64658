import { Resend } from 'resend';
import { env } from '../env';

import { defaultBranding } from '../settings/branding/branding';
import { getBranding } from '../settings/branding/get-branding';

export type OutgoingMail = { id: string; to: string; subject: string; html: string; text: string };

export type SendResult =
  | { outcome: 'sent' }
  /** Not accepted because of a rate limit or quota; does not count as an attempt. */
  | { outcome: 'postponed'; waitSeconds: number; error: string }
  /** The outcome may be unknown; a retry with the same idempotency key is safe. */
  | { outcome: 'failed'; error: string }
  /** A retry would fail in the same way. */
  | { outcome: 'impossible'; error: string };

/** The timeout of one request to the provider. */
export const sendTimeoutMs = 15_000;

/** The wait time when a rejection does not specify one. */
const defaultWaitSeconds = 60;
/** The wait time for an exhausted daily or monthly quota, whose reset time is unknown. */
const quotaWaitSeconds = 60 * 60;

/**
 * Sends a mail with Resend, with the mail's id as idempotency key: a retry after a lost response does not send it twice
 * (the key is valid for 24 hours). Does not throw for errors of the provider or the network.
 */
export async function sendMail(mail: OutgoingMail): Promise<SendResult> {
  const { RESEND_API_KEY, RESEND_BASE_URL } = env();
  if (!RESEND_API_KEY) {
    return { outcome: 'postponed', waitSeconds: quotaWaitSeconds, error: 'RESEND_API_KEY is not set.' };
  }
  const resend = new Resend(RESEND_API_KEY, RESEND_BASE_URL ? { baseUrl: RESEND_BASE_URL } : undefined);
  const { id, ...message } = mail;
  const from = await mailSender();
  const signal = AbortSignal.timeout(sendTimeoutMs);
  const { error, headers } = await resend.emails.send({ from, ...message }, { idempotencyKey: id, signal });
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
 * Returns the sender: MAIL_FROM, or its address with the site's name once an admin has set one. The name is quoted
 * (RFC 5322, 3.2.4).
 */
export async function mailSender(): Promise<string> {
  const { MAIL_FROM } = env();
  const { siteName } = await getBranding();
  if (siteName === defaultBranding.siteName) return MAIL_FROM;
  const address = /<([^<>]+)>\s*$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
  return `"${siteName.replace(/["\\]/g, '\\$&')}" <${address}>`;
}
