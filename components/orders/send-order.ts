import { apiFetch } from '@/lib/browser/api-client';

/** The contract's address for ordering. */
export const ordersPath = '/api/orders';

export type OrderRequest = {
  projectId: string;
  /** What the screen says that it costs, in USD cents; the server refuses to take more. */
  shownTotalCents: number;
} & ({ kind: 'package'; packageId: number; quantity: number } | { kind: 'custom'; siteIds: readonly number[] });

/**
 * Orders all of it or nothing.
 * @param key names this order; a repeat with it orders nothing more
 * @returns where the server wants the browser to go next; null for nowhere
 * @throws ApiError
 */
export async function sendOrder(order: OrderRequest, key: string): Promise<string | null> {
  const answer = await apiFetch<{ url?: unknown } | null>(ordersPath, {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: order,
  });
  const url = answer?.url;
  return typeof url === 'string' && url !== '' ? url : null;
}
