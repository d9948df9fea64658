import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { json, type Reply } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';

/** The fields of OpenAI's `POST /v1/chat/completions` that the gateway reads; others are ignored. */
const completionSchema = z.object({
  model: z.string().min(1),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
});

const page = z.object({
  domain: z.string().default(''),
  currentTitle: z.string().default(''),
  currentDescription: z.string().default(''),
  intent: z.string().default(''),
});

/** A deterministic model in place of OpenAI: its response contains the words of the prompt. */
export const openaiRoutes: readonly Route[] = [
  ['POST', '/v1/chat/completions', complete],
  ['GET', '/v1/models', listModels],
];

const hasKey = ({ headers }: GatewayRequest) => /^Bearer sk-[\w-]+$/.test(headers.authorization ?? '');
const unknownKey = () => refusal(401, 'invalid_api_key', 'Incorrect API key provided.');

function listModels(request: GatewayRequest): Reply {
  if (!hasKey(request)) return unknownKey();
  return json(200, { object: 'list', data: [{ id: 'sandbox', object: 'model', created: 0, owned_by: 'sandbox' }] });
}

function complete(request: GatewayRequest): Reply {
  if (!hasKey(request)) return unknownKey();
  const parsed = completionSchema.safeParse(readFields(request));
  if (!parsed.success) return refusal(400, null, 'The request is not a chat completion.');
  const { model, messages } = parsed.data;
  return json(200, {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: JSON.stringify(createSnippet(messages.at(-1)?.content ?? '')) },
        finish_reason: 'stop',
      },
    ],
  });
}

/** Creates the title and description for a page given as JSON. */
function createSnippet(message: string): { title: string; description: string } {
  const { domain, currentTitle, currentDescription, intent } = page.parse(parseJson(message));
  const lead = intent || currentTitle || domain || 'A page';
  return {
    title: `${lead} (sandbox model)`,
    description: `${lead}, as the sandbox model puts it. ${currentDescription}`.trim(),
  };
}

function parseJson(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return {};
  }
}

function refusal(status: number, code: string | null, message: string): Reply {
  return json(status, { error: { message, type: 'invalid_request_error', param: null, code } });
}
