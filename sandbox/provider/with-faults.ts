import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@/sandbox/http/api-error';
import type { HttpResponse } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { Handler } from '@/sandbox/http/router';
import type { ProviderGateway } from './gateway';

/** Common behavior of a provider's API. */
export type Dialect = {
  /** Headers of every response, e.g. the request id. */
  headers(): Record<string, string>;
  serverError: ApiError;
  /** The error for missing permissions. */
  forbidden?: ApiError;
  /** Finishes a response, e.g. signs it. */
  seal?(response: HttpResponse): HttpResponse;
  /** Excludes a preparatory request from `lost`. */
  ignoresLostMode?: boolean;
};

/**
 * Wraps a handler of a provider's API: injects the faults of the controls, converts errors to the provider's shape, and
 * saves the state.
 * @param run synchronous, so that no concurrent request interferes
 */
export function withFaults(
  gateway: ProviderGateway,
  dialect: Dialect,
  run: (request: GatewayRequest) => HttpResponse,
): Handler {
  const seal = (response: HttpResponse) => dialect.seal?.(response) ?? response;
  return async (request) => {
    const show = (response: HttpResponse): HttpResponse => {
      gateway.observe({ kind: 'call', provider: gateway.name, request, response });
      return response;
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
      const response = show(run(request));
      await gateway.store.save();
      // The work is done before the delay, so that a client that retries after a timeout finds it done.
      if (slowMs > 0) await sleep(slowMs);
      if (api === 'lost' && !dialect.ignoresLostMode) return 'hang-up';
      return seal({ ...response, headers: { ...headers, ...response.headers } });
    } catch (error) {
      if (error instanceof ApiError) return seal(show(error.toReply(headers)));
      throw error;
    }
  };
}
