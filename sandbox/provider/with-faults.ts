import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../http/api-error';
import type { Answer } from '../http/reply';
import type { GatewayRequest } from '../http/request';
import type { Handler } from '../http/router';
import type { ProviderGateway } from './gateway';

/** How a provider's API talks, whatever the call. */
export type Dialect = {
  /** Headers of every answer, e.g. its request id. */
  headers(): Record<string, string>;
  serverError: ApiError;
  /** For credentials that may not make a call. */
  forbidden?: ApiError;
  /** The last word on an answer before it leaves, e.g. its signature. */
  seal?(answer: Answer): Answer;
  /** For a call that only prepares another: what `lost` is meant to lose comes after it. */
  isNeverLost?: boolean;
};

/**
 * Wraps a call of a provider's API in what all of them share: the faults that the controls ask for, errors in the
 * provider's shape, and the write to the disk.
 * @param run does the work without waiting, so that no second call can come between
 */
export function withFaults(
  gateway: ProviderGateway,
  dialect: Dialect,
  run: (request: GatewayRequest) => Answer,
): Handler {
  const seal = (answer: Answer) => dialect.seal?.(answer) ?? answer;
  return async (request) => {
    const show = (answer: Answer): Answer => {
      gateway.observe({ kind: 'call', provider: gateway.name, request, answer });
      return answer;
    };
    const { api, slowMs, forbidden } = gateway.controls;
    const headers = dialect.headers();
    if (api === 'down') return 'hang-up';
    if (slowMs > 0 && api !== 'normal' && api !== 'lost') await sleep(slowMs);
    if (api === 'garbage') return { status: 200, headers, body: '<html>Bad gateway' };
    if (api === 'error') return seal(dialect.serverError.toReply(headers));
    try {
      const isForbidden = forbidden !== null && request.url.pathname.startsWith(forbidden);
      if (isForbidden && dialect.forbidden) throw dialect.forbidden;
      const answer = show(run(request));
      await gateway.store.save();
      // The work is done before the wait, so a client that gives up and repeats meets what it did the first time.
      if (slowMs > 0) await sleep(slowMs);
      if (api === 'lost' && !dialect.isNeverLost) return 'hang-up';
      return seal({ ...answer, headers: { ...headers, ...answer.headers } });
    } catch (error) {
      if (error instanceof ApiError) return seal(show(error.toReply(headers)));
      throw error;
    }
  };
}
