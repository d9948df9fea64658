import { apiFetch } from '@/lib/browser/api-client';

/** The API endpoint that creates orders. */
export const ordersPath = '/api/orders';

export type OrderRequest = {
  projectId: string;
  /** The displayed total in USD cents; the server refuses to charge more. */
  shownTotalCents: number;
} & ({ kind: 'package'; packageId: number; quantity: number } | { kind: 'custom'; siteIds: readonly number[] });

/**
 * Creates all orders or none.
 * @param key the Idempotency-Key; a repeated request with it creates no further orders
 * @returns the URL to which the server redirects; null for none
 * @throws ApiError
 */
export async function sendOrder(order: OrderRequest, key: string): Promise<string | null> {
  const response = await apiFetch<{ url?: unknown } | null>(ordersPath, {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: order,
  });
  const url = response?.url;
  return typeof url === 'string' && url !== '' ? url : null;
}
