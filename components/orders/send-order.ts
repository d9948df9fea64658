import { readSession, writeSession } from '@/components/shell/browser-storage';
import { apiFetch } from '@/lib/browser/api-client';
import { newIdempotencyKey } from '@/lib/browser/idempotency-key';
import type { BriefsRequest } from './brief-draft';
import type { PlacedOrder } from './placed-order';

/** The API endpoint that creates orders. */
export const ordersPath = '/api/orders';

export type OrderRequest = {
  projectId: string;
  /** The displayed total in USD cents; the server refuses to charge more. */
  shownTotalCents: number;
} & BriefsRequest &
  ({ kind: 'package'; packageId: number; quantity: number } | { kind: 'custom'; siteIds: readonly number[] });

/**
 * Creates all orders or none.
 * @param key the Idempotency-Key; a repeated request with it creates no further orders
 * @returns the URL to which the server redirects, null for none, and the orders
 * @throws ApiError
 */
export async function sendOrder(
  order: OrderRequest,
  key: string,
): Promise<{ url: string | null; placed: PlacedOrder[] }> {
  type Response = { url?: unknown; orders?: { id: number; placement?: { answerDueAt: string } | null }[] };
  const response = await apiFetch<Response | null>(ordersPath, {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: order,
  });
  const url = response?.url;
  return {
    url: typeof url === 'string' && url !== '' ? url : null,
    placed: response?.orders?.map(({ id, placement }) => ({ id, answerDueAt: placement?.answerDueAt ?? null })) ?? [],
  };
}

export type OrderAttempts = {
  /**
   * The Idempotency-Key of this order. It stays the same, also after a reload, until the order changes or `end` is
   * called, so that a retry after a lost response cannot charge twice.
   */
  keyFor: (order: OrderRequest) => string;
  end: () => void;
};

/** The last order sent. */
type Attempt = { order: string; key: string };

const known = new Map<string, OrderAttempts>();

/** The order attempts of one user in this tab. */
export function orderAttemptsOf(userId: string): OrderAttempts {
  const before = known.get(userId);
  if (before) return before;
  const made = keepAttempts(`order_attempt_${userId}`);
  known.set(userId, made);
  return made;
}

function keepAttempts(name: string): OrderAttempts {
  let attempt: Attempt | null | undefined;
  return {
    keyFor: (request) => {
      // The displayed total is not part of the order's identity.
      const { shownTotalCents: _shown, ...identity } = request;
      const order = JSON.stringify(identity);
      if (attempt === undefined) attempt = load(name);
      if (attempt?.order !== order) {
        attempt = { order, key: newIdempotencyKey() };
        writeSession(name, attempt);
      }
      return attempt.key;
    },
    end: () => {
      attempt = null;
      writeSession(name, null);
    },
  };
}

function load(name: string): Attempt | null {
  const stored = readSession(name);
  if (typeof stored !== 'object' || stored === null) return null;
  const { order, key }: Partial<Record<string, unknown>> = { ...stored };
  return typeof order === 'string' && typeof key === 'string' ? { order, key } : null;
}
