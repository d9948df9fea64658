'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { withReturnUrl } from '@/components/wallet/return-url';
import { ApiError, redirectIfSignedOut } from '@/lib/browser/api-client';
import { type OrderFailure, type OrderMessages, orderFailure } from './order-failure';
import {
  describePlaced,
  type OrderRequest,
  orderAttemptsOf,
  requestedText,
  requestPath,
  type SentOrder,
  sendOrder,
} from './send-order';

type SendOrder = {
  pending: boolean;
  failure: OrderFailure | null;
  /**
   * Sends the order. Where the response contains a URL, e.g. of the wallet when the balance is too low, the browser
   * opens it.
   * @param back the URL of this basket, to return to
   * @returns why nothing was ordered, which is displayed; null otherwise
   */
  send: (order: OrderRequest, back: string) => Promise<OrderFailure | null>;
  /** Shows an error without sending a request. @param field the name of its field, which is marked and focused */
  refuse: (text: string, field?: string) => void;
  /** Clears the error after the order has changed. */
  forget: () => void;
  /** Enables the button again after an order, where the screen stays open. */
  finish: () => void;
};

type SendOrderOptions = {
  userId: string;
  messages: OrderMessages;
  onDone: (sent: SentOrder) => void;
  /** Called when an item is no longer on sale, or costs more than displayed. */
  onStale: () => unknown;
};

/** Sends an order, with one Idempotency-Key until the server responds. */
export function useSendOrder({ userId, messages, onDone, onStale }: SendOrderOptions): SendOrder {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<OrderFailure | null>(null);

  const leaveFor = (url: string) => (url.startsWith('/') ? router.push(url) : window.location.assign(url));

  const send: SendOrder['send'] = async (order, back) => {
    const attempts = orderAttemptsOf(userId);
    setFailure(null);
    setPending(true);
    try {
      const { url, ...sent } = await sendOrder(order, attempts.keyFor(order)).catch(redirectIfSignedOut);
      attempts.end();
      if (url) {
        leaveFor(url);
        return null;
      }
      const { placed, requestId } = sent;
      if (requestId === null)
        toast.success(messages.done, { description: describePlaced(placed), duration: messages.doneMs });
      else
        toast.success('Approval requested.', {
          description: requestedText,
          action: { label: 'View request', onClick: () => router.push(requestPath(requestId)) },
        });
      // The button stays busy until the dialog closes or the browser leaves the page.
      onDone(sent);
      return null;
    } catch (cause) {
      if (cause instanceof ApiError && cause.url) {
        attempts.end();
        leaveFor(withReturnUrl(cause.url, back));
        return null;
      }
      const orderError = orderFailure(cause, messages);
      setFailure(orderError);
      // A refusal has ordered nothing, so only an unknown outcome keeps the key.
      if (orderError.kind !== 'unanswered') attempts.end();
      if (orderError.kind === 'stale') await onStale();
      setPending(false);
      return orderError;
    }
  };

  return {
    pending,
    failure,
    send,
    refuse: (text, field) => setFailure({ kind: 'refused', text, ...(field && { fields: { [field]: text } }) }),
    forget: () => setFailure(null),
    finish: () => setPending(false),
  };
}
