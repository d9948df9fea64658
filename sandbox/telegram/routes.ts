import { z } from 'zod';
import { type HttpResponse, json } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';

/** How the API answers `sendMessage`. */
const answers = ['normal', 'limited', 'blocked', 'unknown_chat', 'error'] as const;

const controlsSchema = z.strictObject({
  answer: z.enum(answers),
  retryAfter: z.coerce.number().int().min(0),
  /** The address of another program that receives the bot's messages; empty without one. */
  webhook: z.string(),
});

const initial = { answer: 'normal', retryAfter: 30, webhook: '' } as const;

type Update = { update_id: number; message: object };
type SentMessage = { chatId: number; text: string };

/** The Bot API of Telegram with one bot, its updates and the messages that it sent. In memory only. */
export class Telegram {
  controls: z.infer<typeof controlsSchema> = initial;
  updates: Update[] = [];
  readonly messages: SentMessage[] = [];
  #lastUpdate = 100;

  /** Receives a text as a person wrote it to the bot. */
  receive({ chatId, text, type, name }: z.infer<typeof incoming>): void {
    this.#lastUpdate += 1;
    const chat = { id: chatId, type, first_name: name };
    const from = { id: chatId, is_bot: false, first_name: name };
    this.updates.push({ update_id: this.#lastUpdate, message: { message_id: 1, date: 0, chat, from, text } });
  }

  reset(): void {
    this.controls = initial;
    this.updates = [];
    this.messages.length = 0;
  }
}

const incoming = z.strictObject({
  chatId: z.number().int(),
  text: z.string(),
  type: z.enum(['private', 'group']).default('private'),
  name: z.string().default('Ada'),
});

const outgoing = z.looseObject({ chat_id: z.number().int(), text: z.string().min(1).max(4_096) });
const updatesQuery = z.looseObject({ offset: z.number().int().optional() });

/** Tokens of the sandbox's bot. */
const knownToken = /^bot\d+:sandbox[\w-]*$/;

const refuse = (status: number, description: string, more: object = {}): HttpResponse =>
  json(status, { ok: false, error_code: status, description, ...more });
const accept = (result: unknown): HttpResponse => json(200, { ok: true, result });

/** Declares the four methods of the Bot API that the app calls, as Telegram publishes them, and the controls. */
export function telegramRoutes(telegram: Telegram): Route[] {
  const known = (request: GatewayRequest, answer: () => HttpResponse) =>
    knownToken.test(request.params.bot ?? '') ? answer() : refuse(401, 'Unauthorized');
  return [
    [
      'POST',
      '/telegram/:bot/getMe',
      (request) => known(request, () => accept({ id: 1, is_bot: true, username: 'linkmarket_sandbox_bot' })),
    ],
    [
      'POST',
      '/telegram/:bot/getWebhookInfo',
      (request) => known(request, () => accept({ url: telegram.controls.webhook, pending_update_count: 0 })),
    ],
    ['POST', '/telegram/:bot/getUpdates', (request) => known(request, () => getUpdates(telegram, request))],
    ['POST', '/telegram/:bot/sendMessage', (request) => known(request, () => sendMessage(telegram, request))],
    ['GET', '/controls/telegram', () => json(200, { ...telegram.controls, messages: telegram.messages })],
    [
      'POST',
      '/controls/telegram',
      (request) => {
        telegram.controls = { ...telegram.controls, ...controlsSchema.partial().parse(readFields(request)) };
        return json(200, telegram.controls);
      },
    ],
    [
      'POST',
      '/controls/telegram/receive',
      (request) => {
        telegram.receive(incoming.parse(readFields(request)));
        return json(200, {});
      },
    ],
  ];
}

function getUpdates(telegram: Telegram, request: GatewayRequest): HttpResponse {
  if (telegram.controls.webhook) {
    return refuse(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete it");
  }
  const { offset = 0 } = updatesQuery.parse(readFields(request));
  // An offset confirms the updates before it.
  telegram.updates = telegram.updates.filter(({ update_id }) => update_id >= offset);
  return accept(telegram.updates);
}

function sendMessage({ controls, messages }: Telegram, request: GatewayRequest): HttpResponse {
  const { answer, retryAfter } = controls;
  if (answer === 'limited') {
    return refuse(429, `Too Many Requests: retry after ${retryAfter}`, { parameters: { retry_after: retryAfter } });
  }
  if (answer === 'blocked') return refuse(403, 'Forbidden: bot was blocked by the user');
  if (answer === 'unknown_chat') return refuse(400, 'Bad Request: chat not found');
  if (answer === 'error') return refuse(500, 'Internal Server Error');
  const message = outgoing.safeParse(readFields(request));
  if (!message.success) return refuse(400, 'Bad Request: message text is empty');
  const { chat_id, text } = message.data;
  messages.push({ chatId: chat_id, text });
  return accept({ message_id: messages.length, date: 0, chat: { id: chat_id, type: 'private' }, text });
}
