import { Alert } from '@/components/ui/alert';
import { Button, ButtonLink } from '@/components/ui/button';
import { ApiError } from '@/lib/browser/api-client';

/** The messages of one screen for a failed order. */
export type OrderMessages = {
  failed: string;
  /** The message for a 404 without a text. */
  notFound: string;
  /** The message of a successful order, and its duration where that is not the default. */
  done: string;
  doneMs?: number;
};

export type OrderFailure = {
  /**
   * refused: nothing was ordered, and the text gives the reason; stale: refused because an item is no longer on sale or
   * costs more than displayed; unanswered: the outcome is unknown, and a retry is safe; used: an earlier attempt with
   * this key ordered other items; duplicate: the project has ordered some of the sites already, and `fields` has their
   * ids.
   */
  kind: 'refused' | 'stale' | 'unanswered' | 'used' | 'duplicate';
  text: string;
  /** Errors by field name, e.g. "brief.anchor". */
  fields?: Readonly<Record<string, string>>;
};

/** Maps an error to the message of a failed order. The server's own text takes precedence. */
export function orderFailure(cause: unknown, messages: OrderMessages): OrderFailure {
  if (!(cause instanceof ApiError)) throw cause;
  const { status, message, fields, code } = cause;
  // A 503 of this app is a refusal (a disabled feature, a currency without a rate); a proxy's has no text.
  const isRefusal = status === 503 && message !== '';
  if (status === 0 || (status >= 500 && !isRefusal))
    return { kind: 'unanswered', text: describeUnknownOutcome(status, message, messages) };
  if (status === 409 && fields.idempotencyKey) return { kind: 'used', text: reusedKey };
  if (code === 'duplicate_site') return { kind: 'duplicate', text: message, fields };
  const fallback = status === 404 ? messages.notFound : messages.failed;
  const hasFields = Object.keys(fields).length > 0;
  return {
    kind: status === 409 ? 'stale' : 'refused',
    text: message || fallback,
    ...(hasFields && { fields }),
  };
}

const reusedKey =
  'You already ordered from this selection, and this is a different order. Check My Orders first. “Pay” places it as a new order.';

/**
 * Returns the message for an unknown outcome: the server may have created the order before it failed, or before the
 * response was lost.
 */
function describeUnknownOutcome(status: number, message: string, { failed }: OrderMessages): string {
  const what = status === 0 ? 'no response was received.' : message || 'the server didn’t respond.';
  return `${failed}: ${what} The order may still have been placed. It’s safe to try again: you won’t be charged twice.`;
}

type OrderFailureAlertProps = { failure: OrderFailure; onRetry: () => void };

/**
 * Renders the error of a failed order, with a Retry button or a link to the orders. Renders nothing for an error that its
 * field shows.
 */
export function OrderFailureAlert({ failure: { kind, text, fields }, onRetry }: OrderFailureAlertProps) {
  if (Object.values(fields ?? {}).includes(text)) return null;
  if (kind !== 'unanswered' && kind !== 'used') return <Alert tone="error">{text}</Alert>;
  return (
    <Alert tone="error">
      <p>{text}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        {kind === 'unanswered' ? (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        <ButtonLink href="/user/orders" size="sm">
          My Orders
        </ButtonLink>
      </div>
    </Alert>
  );
}
