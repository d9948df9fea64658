import { z } from 'zod';
import { describeReason } from '@/lib/links/describe-reason';
import { postToAddress } from '@/lib/links/fetch-page';
import { type ChatResult, limitPause } from './chat-result';

export const slackOrigin = 'https://hooks.slack.com';

/** The address of an incoming webhook: anyone who has it can write to the channel. */
export const slackUrl = z
  .string('Enter the address of your webhook.')
  .trim()
  .max(300, 'The address can have at most 300 characters.')
  .regex(/^https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+){1,3}$/, {
    error: 'Use the address that Slack shows: https://hooks.slack.com/services/…',
  });

const timeoutMs = 10_000;
const answerBytes = 1_000;

/** The answers by which Slack says that a webhook or its channel is gone or closed to the app. */
const goneStatuses = [403, 404, 410];

/** Escapes the characters that Slack reads as links and mentions. */
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Sends a text to an incoming webhook of Slack
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 */
export async function sendToSlack(url: string, text: string): Promise<ChatResult> {
  const body = JSON.stringify({ text: escapeText(text), mrkdwn: false, unfurl_links: false });
  const headers = { 'content-type': 'application/json' };
  const response = await postToAddress(url, { headers, body }, { timeoutMs, maxBytes: answerBytes, whenLonger: 'cut' });
  if (!response.ok) return { status: null, error: describeReason(response.failure), isOurs: true };
  const { status } = response;
  if (status >= 200 && status < 300) return { status, error: '' };
  const said = response.body.toString('utf8').trim();
  const reason = /^[a-z_]{1,40}$/.test(said) ? ` (${said})` : '';
  const error = `Slack answered ${status}${reason}.`;
  if (status === 429) {
    const [seconds = ''] = response.headers['retry-after'] ?? [];
    return { status, error, retryAfterSeconds: limitPause(seconds === '' ? 60 : Number(seconds)) };
  }
  return { status, error, isGone: goneStatuses.includes(status), isOurs: status >= 500 };
}
