import { createHash } from 'node:crypto';
import { StripeError } from './errors';
import type { StripeState } from './records';

const keptMs = 24 * 60 * 60 * 1_000;

type Answer = { status: number; body: string };

/**
 * Stripe's promise for an Idempotency-Key: the same call gets the first answer again, another call under the same key
 * is refused. Refused calls are not kept, so a mended one may use its key again.
 * @param run does the work synchronously, so that no second call can come between
 * @throws StripeError idempotency_error, and whatever `run` throws
 */
export function withIdempotency(
  state: StripeState,
  call: { key: string | undefined; account: string; path: string; body: string },
  run: () => Answer,
): Answer & { replayed: boolean } {
  if (call.key === undefined) return { ...run(), replayed: false };
  const since = Date.now() - keptMs;
  state.answers = state.answers.filter((answer) => answer.createdAt > since);
  const key = `${hash(call.account)}:${call.key}`;
  const fingerprint = hash(`${call.path}\n${[...new URLSearchParams(call.body)].map(String).sort().join('\n')}`);
  const known = state.answers.find((answer) => answer.key === key);
  if (!known) {
    const answer = run();
    state.answers.push({ key, fingerprint, createdAt: Date.now(), ...answer });
    return { ...answer, replayed: false };
  }
  if (known.fingerprint !== fingerprint) {
    throw new StripeError(400, {
      type: 'idempotency_error',
      message: `The idempotency key '${call.key}' was used before with other parameters; use a new key for another request`,
    });
  }
  return { status: known.status, body: known.body, replayed: true };
}

/** Keys of accounts are not kept in the clear, not even test ones. */
function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
