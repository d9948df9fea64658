import { z } from 'zod';
import { env } from '@/lib/env';
import { normalizeLine } from '@/lib/network/visible-text';
import { cutText } from '@/lib/platform/cut-text';
import { log } from '@/lib/platform/log/log';
import { getApiKey } from '@/lib/settings/api-keys';
import { recordAnswer } from '@/lib/settings/service-answers';
import { type ChatResult, limitPause } from './chat-result';

const timeoutMs = 10_000;

/** The answer of every method of the Bot API (https://core.telegram.org/bots/api#making-requests). */
const answerSchema = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().default(''),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
});
type Answer = z.output<typeof answerSchema> & { status: number };

/** Calls a method of the bot. @returns null without an answer, which is logged without the token */
async function call(token: string, method: string, parameters: object): Promise<Answer | null> {
  const { TELEGRAM_BASE_URL } = env();
  try {
    const response = await fetch(`${TELEGRAM_BASE_URL ?? 'https://api.telegram.org'}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(parameters),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { ...answerSchema.parse(await response.json()), status: response.status };
  } catch (thrown) {
    const problem = (thrown instanceof Error ? thrown.message : String(thrown)).replaceAll(token, '…');
    log().warn({ method, problem }, 'Telegram did not answer.');
    return null;
  }
}

const readBot = z.object({ username: z.string().regex(/^\w{3,64}$/) });
const readWebhook = z.object({ url: z.string() });

/** Asks a bot for its name, which checks its token, and whether its messages can be read. A failure is a result. */
export async function testTelegramBot(token: string): Promise<{ ok: boolean; message: string; username: string }> {
  const answer = await call(token, 'getMe', {});
  const bot = readBot.safeParse(answer?.result);
  if (answer?.ok && bot.success) {
    const { username } = bot.data;
    const webhook = readWebhook.safeParse((await call(token, 'getWebhookInfo', {}))?.result);
    if (webhook.data?.url) {
      const message = `Another program receives the messages of @${username} by a webhook. Use a bot of its own, or delete the webhook.`;
      return { ok: false, message, username };
    }
    return { ok: true, message: `Telegram knows the bot @${username}.`, username };
  }
  const said = cutText(normalizeLine(answer?.description ?? ''), 150);
  const message =
    answer === null
      ? 'Telegram could not be reached.'
      : answer.status === 401 || answer.status === 404
        ? 'Telegram does not know this token. Copy it from @BotFather again.'
        : `Telegram answered with status ${answer.status}: ${said}`;
  return { ok: false, message, username: '' };
}

/** Returns the operator's bot with its name; null if there is none or Telegram does not accept it, which is recorded. */
export async function findTelegramBot(): Promise<{ token: string; username: string } | null> {
  const stored = await getApiKey('Telegram');
  if (!stored) return null;
  const { username, ...answer } = await testTelegramBot(stored.key);
  await recordAnswer(stored.service, answer);
  return answer.ok ? { token: stored.key, username } : null;
}

/** Sends a text to a chat. */
export async function sendToTelegram(chatId: string, text: string): Promise<ChatResult> {
  const stored = await getApiKey('Telegram');
  if (!stored) return { status: null, error: 'The Telegram bot is not set up.', isOurs: true };
  const answer = await call(stored.key, 'sendMessage', {
    chat_id: Number(chatId),
    text,
    link_preview_options: { is_disabled: true },
  });
  if (answer === null) return { status: null, error: 'Telegram could not be reached.', isOurs: true };
  const { status, ok, description, parameters } = answer;
  if (ok) return { status, error: '' };
  const error = `Telegram answered ${status}: ${cutText(normalizeLine(description), 150)}`;
  if (status === 429) return { status, error, retryAfterSeconds: limitPause(parameters?.retry_after ?? 60) };
  // 403: the person blocked the bot or closed the account.
  const isGone = status === 403 || (status === 400 && /chat not found|user is deactivated/i.test(description));
  if (status === 401 || status === 404) await recordAnswer(stored.service, { ok: false, message: error });
  return { status, error, isGone, isOurs: !isGone && status !== 400 };
}

const updatesSchema = z.array(
  z.object({
    update_id: z.int(),
    message: z
      .object({
        text: z.string().default(''),
        chat: z.object({
          id: z.int(),
          type: z.string(),
          first_name: z.string().default(''),
          username: z.string().optional(),
        }),
      })
      .optional(),
  }),
);
export type TelegramUpdate = z.output<typeof updatesSchema>[number];

/** Reads the messages that the bot received and that were not confirmed. @param after the last one that was handled */
export async function readTelegramUpdates(after?: number): Promise<TelegramUpdate[]> {
  const stored = await getApiKey('Telegram');
  if (!stored) return [];
  const answer = await call(stored.key, 'getUpdates', {
    timeout: 0,
    allowed_updates: ['message'],
    // Confirms those before it: Telegram does not send them again.
    ...(after !== undefined && { offset: after + 1 }),
  });
  if (!answer?.ok) {
    const message = answer === null ? 'Telegram could not be reached.' : normalizeLine(answer.description);
    // Another instance reads at this moment, or another program does.
    if (answer?.status !== 409) await recordAnswer(stored.service, { ok: false, message });
    else log().warn({ problem: message }, 'The messages of the Telegram bot are read by another program.');
    return [];
  }
  return updatesSchema.parse(answer.result);
}
