import { ApiError, apiFetch } from '@/lib/http/client';

export type OrderFailure = {
  /**
   * refused: nothing was ordered, and the text says why; stale: because a site is no longer on sale;
   * unanswered: nobody knows whether it was ordered, and sending it again is safe;
   * used: an earlier attempt with this key ordered something else.
   */
  kind: 'refused' | 'stale' | 'unanswered' | 'used';
  text: string;
  /** Where the missing money is added; the server sends it with a 402. */
  topUpUrl: string | null;
};

/**
 * Orders the sites for a project: all or none.
 * @param key names this order; a repeat with it orders nothing more
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
  const { status, message, fields, url: topUpUrl } = cause;
  if (status === 0 || status >= 500) return { kind: 'unanswered', text: lostAnswer(status, message), topUpUrl: null };
  if (status === 409 && fields.idempotencyKey) return { kind: 'used', text: usedKey, topUpUrl: null };
  const fallback = status === 404 ? 'Orders endpoint not found on the backend.' : 'Failed to add to orders';
  return { kind: status === 409 ? 'stale' : 'refused', text: message || fallback, topUpUrl };
}

const usedKey =
  'Something was already ordered from this selection, and this is another order. Look into My Orders first; ' +
  'Add to orders then places it as a new one.';

/** A server that failed may have done it first, as one that never answered may. */
function lostAnswer(status: number, message: string): string {
  const what = status === 0 ? 'no answer came.' : message || 'the server gave no answer to it.';
  return (
    `Failed to add to orders: ${what} The order may have been placed all the same. ` +
    'Trying again is safe: you are never charged twice for it.'
  );
}
