import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ApiError } from '@/sandbox/http/api-error';
import type { Reply } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { Handler } from '@/sandbox/http/router';

/** The stored response to a request with an idempotency key, valid for 24 hours. */
export const storedResponseSchema = z.object({
  key: z.string(),
  fingerprint: z.string(),
  createdAt: z.number().int(),
  status: z.number().int(),
  body: z.string(),
});

type StoredResponse = z.infer<typeof storedResponseSchema>;

const retentionMs = 24 * 60 * 60 * 1_000;

type JsonResponse = { status: number; body: string };

/**
 * Implements idempotency keys: a repeated request gets the first response, another request with the same key is
 * rejected. Failed requests are not stored, so that a corrected one may use its key.
 * @param call `content` identifies the request
 * @param run synchronous, so that no concurrent request interferes
 * @param refusal creates the error for another request with a used key
 * @throws the refusal, and any error of `run`
 */
export function withIdempotency(
  state: { answers: StoredResponse[] },
  call: { key: string | undefined; account: string; content: string },
  run: () => JsonResponse,
  refusal: (key: string) => ApiError,
): JsonResponse & { replayed: boolean } {
  if (call.key === undefined) return { ...run(), replayed: false };
  const since = Date.now() - retentionMs;
  state.answers = state.answers.filter((response) => response.createdAt > since);
  const key = `${hash(call.account)}:${call.key}`;
  const fingerprint = hash(call.content);
  const known = state.answers.find((response) => response.key === key);
  if (!known) {
    const response = run();
    state.answers.push({ key, fingerprint, createdAt: Date.now(), ...response });
    return { ...response, replayed: false };
  }
  if (known.fingerprint !== fingerprint) throw refusal(call.key);
  return { status: known.status, body: known.body, replayed: true };
}

/**
 * Rejects a request while another one with the same key is in progress, like the providers.
 * @param getKey the account, key and path of a request; undefined without a key
 * @param refuse creates the response
 */
export function rejectConcurrent(
  getKey: (request: GatewayRequest) => string | undefined,
  refuse: () => Reply,
  handler: Handler,
): Handler {
  const inFlight = new Set<string>();
  return async (request) => {
    const name = getKey(request);
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

/** Returns the hash of a key, because account keys are stored as hashes only, even test keys. */
function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
