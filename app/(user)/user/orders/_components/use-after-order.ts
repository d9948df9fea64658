'use client';

import { useRouter } from 'next/navigation';
import type { BriefEdit } from '@/components/orders/brief-draft';
import { useFocusInvalid } from '@/components/orders/brief-fields';
import type { OrderMessages } from '@/components/orders/order-failure';
import { ordersPath, type SentOrder } from '@/components/orders/send-order';
import { useBriefDraft } from '@/components/orders/use-brief-draft';
import { useSendOrder } from '@/components/orders/use-send-order';
import { type ProjectOption, useProjectChoice } from '@/components/projects/project-field';
import { ordersPagePath } from './orders-url';

/** The texts that My Orders uses for an order. */
const orderMessages: OrderMessages = {
  failed: 'Failed to create order',
  notFound: `Orders endpoint not found at ${ordersPath}.`,
  done: 'Order placed.',
};

/** The ids of the orders that this tab has just placed. */
let placed: readonly number[] = [];

/**
 * Returns the callbacks after an order: `done` opens the list with the new order on top; `stale` reloads the dialog
 * with the new price.
 */
function useAfterOrder() {
  const router = useRouter();
  return {
    done: ({ placed: orders }: SentOrder) => {
      placed = orders.map(({ id }) => id);
      router.push(ordersPagePath, { scroll: false });
      // Updates the balance in the top bar, which belongs to the layout.
      router.refresh();
    },
    stale: () => router.refresh(),
  };
}

type PlaceOrderOptions = Omit<Parameters<typeof useBriefDraft>[0], 'project' | 'initial'> & {
  projects: readonly ProjectOption[];
  /** The project that is selected first. */
  projectId: string;
  /** Values of the brief that take precedence over those of a project. */
  briefOf?: (projectId: string) => BriefEdit;
};

/** Returns the state of a form that orders: its project, its brief and the request. */
export function usePlaceOrder({ projects, projectId, briefOf, ...draft }: PlaceOrderOptions) {
  const project = useProjectChoice(projects, projectId);
  const after = useAfterOrder();
  const briefs = useBriefDraft({ ...draft, project: project.project, initial: briefOf?.(project.projectId) });
  const order = useSendOrder({
    userId: draft.userId,
    messages: orderMessages,
    onDone: (sent) => {
      briefs.clear();
      after.done(sent);
    },
    onStale: after.stale,
  });
  return { project, briefs, order, body: useFocusInvalid(order.failure) };
}

/**
 * Finds the link of the order that a closing dialog has placed, in the list or among its cards; null when the dialog
 * was closed without an order.
 */
export function findPlacedOrder(): HTMLElement | null {
  const links = placed.flatMap((id) => [
    ...document.querySelectorAll<HTMLElement>(
      `main :is(a[aria-label="Open order #${id}"], a[aria-label="Details of order #${id}"])`,
    ),
  ]);
  placed = [];
  return links.find((link) => link.checkVisibility()) ?? null;
}
