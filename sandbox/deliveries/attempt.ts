import type { Attempt } from './records';

/** Providers give a webhook some seconds; past that they count it as failed. */
const timeoutMs = 20_000;

/**
 * Posts one notification. Redirects are not followed: a provider counts them as failures.
 * @param stop aborts the call when the gateway closes
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
    return { at, durationMs: Date.now() - at, status: null, error: reasonOf(error) };
  }
}

/** fetch hides the reason ("connect ECONNREFUSED …") in the cause of a plain "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
