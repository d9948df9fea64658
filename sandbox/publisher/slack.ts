import { z } from 'zod';

/** The host of Slack's incoming webhooks. A test publishes a page at an address to change its answer. */
export const slackHost = 'hooks.slack.com';

const payload = z.looseObject({ text: z.string().min(1) });

/**
 * Answers a message to an incoming webhook as Slack does.
 * @returns the status and the text
 */
export function answerAsSlack(pathname: string, body: string): [status: number, text: string] {
  if (!/^\/services\/T[\w-]+\/B[\w-]+\/[\w-]+$/.test(pathname)) return [404, 'no_service'];
  if (!isJson(body)) return [400, 'invalid_payload'];
  return payload.safeParse(JSON.parse(body)).success ? [200, 'ok'] : [400, 'no_text'];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
