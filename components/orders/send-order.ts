import { readSession, writeSession } from '@/components/shell/browser-storage';
import { apiFetch, newIdempotencyKey } from '@/lib/browser/api-client';
import type { BriefsRequest } from './brief-draft';

/** An order that was just placed. */
export type PlacedOrder = {
  id: number;
  /** Until when the seller answers, ISO 8601; null if staff fulfill the order. */
  answerDueAt: string | null;
};

/** What an order led to: orders, or a request that waits for an approval. */
export type SentOrder = { placed: PlacedOrder[]; requestId: string | null };

/** Returns the page of a request. */
export const requestPath = (id: string): string => `/user/requests/${encodeURIComponent(id)}`;

/** What a buyer reads about a request. */
export const requestedText = 'The order waits for approval. Nothing was paid yet.';

/** The numbers that are listed one by one. */
const maxListed = 4;

/**
 * Describes the placed orders: "Orders #101, #102 and 3 more are placed. The sellers answer by Nov 28." Orders that our
 * team fulfills have no seller who answers. The day is that of the reader's time zone.
 */
export function describePlaced(placed: readonly PlacedOrder[]): string {
  const numbers = placed.slice(0, maxListed).map(({ id }) => `#${id}`);
  const more = placed.length > maxListed ? ` and ${placed.length - maxListed} more` : '';
  const what =
    placed.length === 1 ? `Order ${numbers[0]} is placed.` : `Orders ${numbers.join(', ')}${more} are placed.`;
  const dueAt = placed.flatMap(({ answerDueAt }) => answerDueAt ?? []).sort();
  const last = dueAt.at(-1);
  if (last === undefined) return what;
  const day = new Date(last).toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
  if (dueAt.length < placed.length) {
    const sellers = dueAt.length === 1 ? 'the seller of 1' : `the sellers of ${dueAt.length}`;
    return `${what} Our team fulfills ${placed.length - dueAt.length}; ${sellers} answer${dueAt.length === 1 ? 's' : ''} by ${day}.`;
  }
  return `${what} ${dueAt.length === 1 ? 'The seller answers' : 'The sellers answer'} by ${day}.`;
}

/** The API endpoint that creates orders. */
export const ordersPath = '/api/orders';

export type OrderRequest = {
  projectId: string;
  /** The displayed total in USD cents; the server refuses to charge more. */
  shownTotalCents: number;
} & BriefsRequest &
  (
    | { kind: 'package'; packageId: number; quantity: number }
    /** `rejectDuplicates` refuses sites that the project has ordered already. */
    | { kind: 'custom'; siteIds: readonly number[]; rejectDuplicates?: boolean }
    | CartOrder
  );

/** An order of all sites of a cart, in the version that the buyer saw. */
type CartOrder = { kind: 'cart'; cartId: string; version: number; allowDuplicates?: boolean };

/** Returns the endpoint that creates an order, and its body. */
function toCall(order: OrderRequest): { path: string; body: unknown } {
  if (order.kind !== 'cart') return { path: ordersPath, body: order };
  const { projectId, shownTotalCents, version, allowDuplicates } = order;
  return {
    path: `/api/user/carts/${order.cartId}/order`,
    body: { projectId, shownTotalCents, version, ...(allowDuplicates && { allowDuplicates }) },
  };
}

/**
 * Creates all orders or none; above a limit of the account, a request.
 * @param key the Idempotency-Key; a repeated request with it creates no further orders
 * @returns the URL to which the server redirects, null for none, and the orders or the request
 * @throws ApiError
 */
export async function sendOrder(order: OrderRequest, key: string): Promise<SentOrder & { url: string | null }> {
  type Response = {
    url?: unknown;
    orders?: { id: number; placement?: { answerDueAt: string } | null }[];
    request?: { id: string };
  };
  const { path, body } = toCall(order);
  const response = await apiFetch<Response | null>(path, {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body,
  });
  const url = response?.url;
  return {
    url: typeof url === 'string' && url !== '' ? url : null,
    placed: response?.orders?.map(({ id, placement }) => ({ id, answerDueAt: placement?.answerDueAt ?? null })) ?? [],
    requestId: response?.request?.id ?? null,
  };
}

type OrderAttempts = {
  /**
   * The Idempotency-Key of this order. It stays the same, also after a reload, until the order changes or `end` is
   * called, so that a retry after a lost response cannot charge twice.
   */
  keyFor: (order: OrderRequest) => string;
  /**
   * Returns the order of a cart that was sent and has no known outcome, also after a reload; null for none. Sent again,
   * it is answered by its key.
   */
  findUnanswered: (cartId: string) => OrderRequest | null;
  end: () => void;
};

/** The last order sent. */
type Attempt = { order: string; key: string };

const known = new Map<string, OrderAttempts>();

/** Returns the order attempts of one user in this tab. */
export function orderAttemptsOf(userId: string): OrderAttempts {
  const before = known.get(userId);
  if (before) return before;
  const created = keepAttempts(`order_attempt_${userId}`);
  known.set(userId, created);
  return created;
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
    findUnanswered: (cartId) => {
      if (attempt === undefined) attempt = load(name);
      return attempt ? parseCartOrder(attempt.order, cartId) : null;
    },
    end: () => {
      attempt = null;
      writeSession(name, null);
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads the stored identity of an order. */
function parseCartOrder(text: string, wantedId: string): OrderRequest | null {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return null;
  const { kind, cartId, version, projectId, allowDuplicates }: Partial<Record<string, unknown>> = { ...value };
  if (kind !== 'cart' || cartId !== wantedId || typeof version !== 'number' || typeof projectId !== 'string')
    return null;
  return {
    kind,
    cartId: wantedId,
    version,
    projectId,
    shownTotalCents: 0,
    ...(allowDuplicates === true && { allowDuplicates }),
  };
}

function load(name: string): Attempt | null {
  const stored = readSession(name);
  if (typeof stored !== 'object' || stored === null) return null;
  const { order, key }: Partial<Record<string, unknown>> = { ...stored };
  return typeof order === 'string' && typeof key === 'string' ? { order, key } : null;
}
