import { ApiError } from '@/lib/browser/api-client';

/** A screen's own words for an order that failed (spec 001, section 8). */
export type OrderWords = {
  failed: string;
  /** For a 404 without a text. */
  notFound: string;
  /** The button that orders. */
  submit: string;
  /** Told when it is done, and for how long where it is not the usual time. */
  done: string;
  doneMs?: number;
};

export type OrderFailure = {
  /**
   * refused: nothing was ordered, and the text says why; stale: because something is no longer on sale or costs more
   * than was shown; unanswered: nobody knows whether it was ordered, and sending it again is safe;
   * used: an earlier attempt with this key ordered something else.
   */
  kind: 'refused' | 'stale' | 'unanswered' | 'used';
  text: string;
};

/** What to tell about an order that did not go through; the server's own text goes first. */
export function orderFailure(cause: unknown, words: OrderWords): OrderFailure {
  if (!(cause instanceof ApiError)) throw cause;
  const { status, message, fields } = cause;
  // A 503 of our own is a refusal (a part is turned off, a currency has no rate); a proxy's has no text.
  const isRefusal = status === 503 && message !== '';
  if (status === 0 || (status >= 500 && !isRefusal))
    return { kind: 'unanswered', text: lostAnswer(status, message, words) };
  if (status === 409 && fields.idempotencyKey) return { kind: 'used', text: usedKey(words) };
  const fallback = status === 404 ? words.notFound : words.failed;
  return { kind: status === 409 ? 'stale' : 'refused', text: message || fallback };
}

const usedKey = ({ submit }: OrderWords) =>
  'Something was already ordered from this selection, and this is another order. Look into My Orders first; ' +
  `${submit} then places it as a new one.`;

/** A server that failed may have done it first, as one that never answered may. */
function lostAnswer(status: number, message: string, { failed }: OrderWords): string {
  const what = status === 0 ? 'no answer came.' : message || 'the server gave no answer to it.';
  return (
    `${failed}: ${what} The order may have been placed all the same. ` +
    'Trying again is safe: you are never charged twice for it.'
  );
}
