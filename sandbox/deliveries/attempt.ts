import type { Attempt } from './records';

/** Timeout of a webhook request; providers count a timeout as a failure. */
const timeoutMs = 20_000;

/**
 * Posts one webhook event. Does not follow redirects, because providers count them as failures.
 * @param stop aborts the request when the gateway closes
 */
export async function attemptDelivery(
  url: string,
  headers: Record<string, string>,
  body: string,
  stop: AbortSignal,
): Promise<Attempt> {
  const at = Date.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    });
    await response.arrayBuffer();
    return { at, durationMs: Date.now() - at, status: response.status, error: null };
  } catch (error) {
    return { at, durationMs: Date.now() - at, status: null, error: getReason(error) };
  }
}

/** Returns the cause of a failed fetch ("connect ECONNREFUSED …"), which is hidden behind "fetch failed". */
function getReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
