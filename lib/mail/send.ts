import { Resend } from 'resend';
import { env } from '../env';

import { defaultBranding } from '../settings/branding/branding';
import { getBranding } from '../settings/branding/get-branding';

export type OutgoingMail = { id: string; to: string; subject: string; html: string; text: string };

export type SendResult =
  | { outcome: 'sent' }
  /** Not taken now, and none of its own tries is used up: the provider is asked too often, or a quota is used up. */
  | { outcome: 'postponed'; waitSeconds: number; error: string }
  /** Perhaps sent, perhaps not; another try with the same idempotency key finds out. */
  | { outcome: 'failed'; error: string }
  /** Another try would fail the same way. */
  | { outcome: 'impossible'; error: string };

/** A provider that takes longer than this for one mail is not heard of any more; the next try asks again. */
export const sendTimeoutMs = 15_000;

/** When a refusal does not say how long to wait. */
const defaultWaitSeconds = 60;
/** A used-up quota of the day or month opens at some unknown hour. */
const quotaWaitSeconds = 60 * 60;

/**
 * Hands a mail to Resend, with the mail's id as idempotency key: after a lost answer the same mail is not sent twice
 * (the key is kept 24 hours). Never throws for the provider's or the network's failures.
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
  if (signal.aborted) return { outcome: 'failed', error: `No answer within ${sendTimeoutMs / 1000} seconds.` };
  const text = `${error.name}: ${error.message}`;
  if (error.statusCode === 429) return { outcome: 'postponed', waitSeconds: waitOf(error.name, headers), error: text };
  return { outcome: neverTaken.has(error.name) ? 'impossible' : 'failed', error: text };
}

/** What is wrong with the mail itself; the last one: it was taken before, from another sender or with another text. */
const neverTaken = new Set<string>(['validation_error', 'invalid_idempotency_key', 'invalid_idempotent_request']);

/** Retry-After in seconds, as Resend sends it. */
function waitOf(name: string, headers: Record<string, string> | null): number {
  const asked = Number(headers?.['retry-after'] ?? '');
  if (Number.isFinite(asked) && asked > 0) return Math.min(Math.ceil(asked), 24 * 60 * 60);
  return name.includes('quota') ? quotaWaitSeconds : defaultWaitSeconds;
}

/**
 * Whom mails come from: MAIL_FROM, and once an admin has named the installation, its address under that name.
 * The name is quoted (RFC 5322, 3.2.4), so that no sign in it ends it.
 */
export async function mailSender(): Promise<string> {
  const { MAIL_FROM } = env();
  const { siteName } = await getBranding();
  if (siteName === defaultBranding.siteName) return MAIL_FROM;
  const address = /<([^<>]+)>\s*$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
  return `"${siteName.replace(/["\\]/g, '\\$&')}" <${address}>`;
}
