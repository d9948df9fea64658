import { ApiError, apiFetch } from '@/lib/http/client';

export type OrderFailure = {
  text: string;
  /** Where the missing money is added; the server sends it with a 402. */
  topUpUrl: string | null;
  /** A site of the selection is no longer on sale. */
  isStale: boolean;
};

/**
 * Orders the sites for a project: all or none.
 * @param key names this press; a repeat with it orders nothing more
 * @throws ApiError
 */
export async function placeOrder(projectId: string, siteIds: readonly number[], key: string): Promise<void> {
  await apiFetch('/api/orders', {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: { kind: 'custom', projectId, siteIds },
  });
}

/** The marketplace's words for a failed order (spec 001, section 8); the server's own text goes first. */
export function orderFailure(cause: unknown): OrderFailure {
  if (!(cause instanceof ApiError)) throw cause;
  const fallback = cause.status === 404 ? 'Orders endpoint not found on the backend.' : 'Failed to add to orders';
  return { text: cause.message || fallback, topUpUrl: cause.url, isStale: cause.status === 409 };
}
