'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { addTax } from '@/components/orders/add-tax';
import type { OrderFailure } from '@/components/orders/order-failure';
import type { Funds } from '@/components/orders/outlook';
import { type OrderRequest, orderAttemptsOf, type SentOrder } from '@/components/orders/send-order';
import { useOutlook } from '@/components/orders/use-outlook';
import { useSendOrder } from '@/components/orders/use-send-order';
import { type ProjectChoice, projectFieldName } from '@/components/projects/project-field';
import { withParams } from '@/components/table/url';
import { formatUsd } from '@/lib/money';
import type { ShownTax } from '@/lib/tax/buyer-tax';
import type { CartEditor, CartSnapshot } from './cart-editor';
import { cartMessages, cartPagePath } from './cart-messages';
import { isSame } from './cart-rows';
import { isUnavailable } from './cell-notes';

type CartOrderOptions = Pick<Funds, 'isLimited'> & {
  userId: string;
  editor: CartEditor;
  snapshot: CartSnapshot;
  project: ProjectChoice;
  tax: ShownTax | null;
  /** Shows the first cell that must be corrected. */
  onProblem: () => void;
};

const totalOf = ({ items, history }: CartSnapshot, tax: ShownTax | null) =>
  addTax(
    history.rows.map(({ siteId }) => items.get(siteId)?.priceCents ?? 0),
    tax,
  );

/** Orders a cart: saves it first, and asks once before sites are ordered a second time. */
export function useCartOrder({ userId, editor, snapshot, project, tax, isLimited, onProblem }: CartOrderOptions) {
  const router = useRouter();
  const [sent, setSent] = useState<SentOrder | null>(null);
  const [isSaving, setSaving] = useState(false);
  /** The order of this cart that was sent before the page was loaded again, without an answer. */
  const [unanswered, setUnanswered] = useState<OrderRequest | null>(null);
  const order = useSendOrder({
    userId,
    messages: cartMessages,
    onStale: editor.reload,
    onDone: async (orders) => {
      setSent(orders);
      setUnanswered(null);
      await editor.restart().catch(() => window.location.assign(back));
      order.finish();
      // The wallet and the count in the top bar.
      router.refresh();
    },
  });
  const { refuse, send } = order;
  const total = totalOf(snapshot, tax);
  const outlook = useOutlook({
    isLimited,
    projectId: project.complaint ? '' : project.projectId,
    totalCents: total.totalCents,
    items: snapshot.history.rows.map(({ siteId, brief }) => ({ siteId, rel: brief.rel })),
  });
  const { id, projectId: own } = snapshot.cart;
  // To the same project, where the cart has none.
  const back = withParams(cartPagePath, {}, { cart: id, project: own === null ? project.projectId : null });

  // After a reload: the cart was emptied by an order whose answer was lost. Sent again, it is answered by its key.
  const isEmpty = snapshot.cart.items.length === 0;
  useEffect(() => {
    const lost = isEmpty ? orderAttemptsOf(userId).findUnanswered(id) : null;
    if (lost) queueMicrotask(() => setUnanswered(lost));
  }, [userId, id, isEmpty]);

  const place = async (allowDuplicates = false) => {
    const shownTotalCents = total.totalCents;
    if (snapshot.history.rows.length === 0) return refuse('No site selected.');
    if (project.complaint) return refuse(project.complaint, projectFieldName);
    setSaving(true);
    const isSaved = await editor.save().finally(() => setSaving(false));
    const now = editor.get();
    if (!isSaved) return refuse('The cart is not saved yet, so nothing was ordered. Save it, then order.');
    if (now.cart.items.some(isUnavailable)) return refuse('Remove the sites that cannot be ordered now.');
    const problems = now.cart.items.reduce((sum, item) => sum + item.problems.length, 0);
    if (problems > 0) {
      onProblem();
      return refuse(`Correct the marked ${problems === 1 ? 'cell' : `${problems} cells`}. Nothing was ordered.`);
    }
    const { totalCents } = totalOf(now, tax);
    if (totalCents > shownTotalCents)
      return refuse(
        `The total is now ${formatUsd(totalCents)} instead of ${formatUsd(shownTotalCents)}. Order again to accept it.`,
      );
    const { projectId } = project;
    const { version } = now.cart;
    const refused = await send(
      {
        kind: 'cart',
        cartId: id,
        version,
        projectId,
        shownTotalCents,
        ...(allowDuplicates && { allowDuplicates }),
      },
      back,
    );
    const { cart, history } = editor.get();
    // Another save of the same rows, e.g. that of the page before a reload, which is answered late.
    const isSavedAgain = cart.version !== version && isSame(history.rows, now.history.rows);
    if (refused?.kind === 'stale' && isSavedAgain) await place(allowDuplicates);
  };

  const lostFailure: OrderFailure | null = unanswered && {
    kind: 'unanswered',
    text: 'No response was received for the last order of this cart, and the cart is empty now. It’s safe to try again: you won’t be charged twice.',
  };
  const failure = order.failure ?? lostFailure;
  return {
    order: {
      failure,
      pending: order.pending || isSaving,
      forget: order.forget,
      place,
      retry: () => (unanswered ? send(unanswered, back) : place()),
    },
    sent,
    total,
    outlook,
    /** The ids of the sites that would be ordered a second time, with the reasons, when the order was refused for them. */
    duplicates: order.failure?.kind === 'duplicate' ? Object.entries(order.failure.fields ?? {}) : [],
  };
}
