import type { EndpointChannel } from '@/db/schema/webhook-endpoints';

export type ChatChannel = Exclude<EndpointChannel, 'webhook'>;

/** The names of the services. */
export const chatNames: Record<ChatChannel, string> = { slack: 'Slack', telegram: 'Telegram' };

/** What became of a message to a chat. */
export type ChatResult = {
  /** The status of the answer; null without one. */
  status: number | null;
  /** Why it failed; empty for a success. */
  error: string;
  /** Whether the chat never accepts a message again. */
  isGone?: boolean;
  /** The pause that the service asks for. */
  retryAfterSeconds?: number;
  /** Whether the installation or the service is at fault, and not the chat. */
  isOurs?: boolean;
};

/** The longest pause that is kept: deliveries end after a day. */
const maxRetrySeconds = 3_600;

/** Returns the seconds of a pause, between one second and an hour. */
export const limitPause = (seconds: number): number =>
  Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), maxRetrySeconds) : 60;
