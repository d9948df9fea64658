import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { checkoutUrlOf } from './checkout-url';
import type { TopUpMethod } from './top-up-methods';

export type StartedTopUp =
  | { kind: 'redirect'; url: string }
  | { kind: 'sign-in' }
  /** The amount is not right; the text belongs under its field. */
  | { kind: 'amount'; message: string }
  | { kind: 'failed'; message: string };

/** Failures the server words for the person: what was wrong, that or how long to wait, or that the method is gone. */
const wordedByServer = new Set([400, 409, 429, 503]);

/**
 * Asks for a checkout.
 * @param amount in major units
 * @param returnUrl the page of ours to come back to
 * @param idempotencyKey the same one again for a try whose answer was lost: it gets the checkout that the first made
 */
export async function startTopUp(
  method: TopUpMethod,
  amount: number,
  returnUrl: string,
  idempotencyKey: string,
): Promise<StartedTopUp> {
  try {
    const answer = await apiFetch<unknown>(method.path, {
      method: 'POST',
      body: { amount, currency: 'USD', returnUrl, cancelUrl: returnUrl },
      headers: { 'Idempotency-Key': idempotencyKey },
    });
    const url = checkoutUrlOf(answer);
    if (url === null) throw new ApiError(0, 'No checkout URL returned');
    return { kind: 'redirect', url };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (thrown.status === 401 || thrown.status === 403) return { kind: 'sign-in' };
    if (thrown.fields.amount) return { kind: 'amount', message: thrown.fields.amount };
    const isWorded = wordedByServer.has(thrown.status) && thrown.message !== '';
    return { kind: 'failed', message: isWorded ? thrown.message : method.failure };
  }
}
