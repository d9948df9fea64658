import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ApiError } from '../http/api-error';
import type { Reply } from '../http/reply';
import type { GatewayRequest } from '../http/request';
import type { Handler } from '../http/router';

/** The answer to a call with an idempotency key, kept for 24 hours. */
export const keptAnswerSchema = z.object({
  key: z.string(),
  fingerprint: z.string(),
  createdAt: z.number().int(),
  status: z.number().int(),
  body: z.string(),
});

type KeptAnswer = z.infer<typeof keptAnswerSchema>;

const keptMs = 24 * 60 * 60 * 1_000;

type Answer = { status: number; body: string };

/**
 * The promise of an idempotency key: the same call gets the first answer again, another call under the same key is
 * refused. Refused calls are not kept, so a mended one may use its key again.
 * @param call `content` is what makes it the same call
 * @param run does the work synchronously, so that no second call can come between
 * @param refusal for another call under a used key
 * @throws the refusal, and whatever `run` throws
 */
export function withIdempotency(
  state: { answers: KeptAnswer[] },
  call: { key: string | undefined; account: string; content: string },
  run: () => Answer,
  refusal: (key: string) => ApiError,
): Answer & { replayed: boolean } {
  if (call.key === undefined) return { ...run(), replayed: false };
  const since = Date.now() - keptMs;
  state.answers = state.answers.filter((answer) => answer.createdAt > since);
  const key = `${hash(call.account)}:${call.key}`;
  const fingerprint = hash(call.content);
  const known = state.answers.find((answer) => answer.key === key);
  if (!known) {
    const answer = run();
    state.answers.push({ key, fingerprint, createdAt: Date.now(), ...answer });
    return { ...answer, replayed: false };
  }
  if (known.fingerprint !== fingerprint) throw refusal(call.key);
  return { status: known.status, body: known.body, replayed: true };
}

/**
 * Refuses a call whose key another call is still being answered under, as the providers do.
 * @param nameOf the account, key and address of a call; undefined for one without a key
 * @param refuse answers it
 */
export function oneAtATime(
  nameOf: (request: GatewayRequest) => string | undefined,
  refuse: () => Reply,
  handler: Handler,
): Handler {
  const inFlight = new Set<string>();
  return async (request) => {
    const name = nameOf(request);
    if (name === undefined) return handler(request);
    if (inFlight.has(name)) return refuse();
    inFlight.add(name);
    try {
      return await handler(request);
    } finally {
      inFlight.delete(name);
    }
  };
}

/** Keys of accounts are not kept in the clear, not even test ones. */
function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
