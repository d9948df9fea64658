'use client';

import { CircleCheck, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { OrderMessages } from '@/components/orders/order-failure';
import type { OrderFacts } from '@/components/orders/order-form';
import { SelectionTotal } from '@/components/orders/order-total';
import { describePlaced, type PlacedOrder } from '@/components/orders/send-order';
import { Button, ButtonLink, IconButton } from '@/components/ui/button';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { siteLinkId } from './site-text';
import { SitesOrderForm } from './sites-order-form';
import { type Selection, useCheckout } from './use-selection';
import { isBasketOf, useUrlBasket } from './use-url-basket';

/** The marketplace's messages. */
const marketplaceMessages: OrderMessages = {
  failed: 'Failed to add to orders',
  notFound: 'Orders endpoint not found on the backend.',
  done: 'Added to orders successfully.',
  // Long enough to read the message.
  doneMs: 2800,
};

type SelectionPanelProps = OrderFacts & { selection: Selection };

/** Renders the content of SelectionBar, with its order dialog. */
export function SelectionPanel({ selection, ...facts }: SelectionPanelProps) {
  const returned = useUrlBasket();
  const [isSelectionReturned] = useState(returned !== null && isBasketOf(selection.sites, returned));
  const [checkout, setCheckout] = useCheckout(facts.userId);
  const { isOpen, sites: separate } = checkout;
  const close = () => setCheckout({ isOpen: false });
  /** What the dialog orders: sites of their own, or the selection. */
  const basket = separate
    ? { sites: separate, write: (sites: Selection['sites']) => setCheckout({ sites }) }
    : selection;
  const orderSelection = () => setCheckout({ isOpen: true, sites: null });
  /** The orders placed since the last selection. */
  const [ordered, setOrdered] = useState<readonly PlacedOrder[]>([]);
  const result = useRef<HTMLAnchorElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  if (ordered.length > 0 && selection.sites.length > 0) setOrdered([]);

  // After a top-up: opens the dialog again.
  useEffect(() => {
    // Outside the effect: an update inside it would wait until hydration ends and the browser is idle.
    if (returned) queueMicrotask(() => setCheckout({ isOpen: true, sites: isSelectionReturned ? null : [] }));
  }, [returned, isSelectionReturned, setCheckout]);

  return (
    <>
      {selection.sites.length > 0 ? (
        <section aria-label="Selection" data-bottom-bar="" className={barClass}>
          <SelectionTotal sites={selection.sites} balanceCents={facts.balanceCents} />
          <div className="ml-auto flex gap-2">
            <Button size="sm" variant="ghost" onClick={() => selection.write([])}>
              Clear
            </Button>
            <Button ref={opener} size="sm" variant="primary" aria-haspopup="dialog" onClick={orderSelection}>
              Add to orders
            </Button>
          </div>
        </section>
      ) : ordered.length > 0 ? (
        <OrderedNote placed={ordered} link={result} onClose={() => setOrdered([])} />
      ) : null}
      <Dialog
        open={isOpen}
        onOpenChange={(next) => !next && close()}
        title="Add to orders"
        description="Each site becomes a separate order, paid from your wallet."
        size="lg"
        // The link to the orders after an order; otherwise the site whose drawer opened it, or the button of the bar.
        focusAfter={() => result.current ?? findSiteLink(separate) ?? opener.current}
      >
        <SitesOrderForm
          {...facts}
          basket={basket}
          returned={returned}
          messages={marketplaceMessages}
          renderCancel={(pending) => (
            <DialogClose>
              <Button disabled={pending}>Cancel</Button>
            </DialogClose>
          )}
          onDone={(placed) => {
            setOrdered(placed);
            close();
          }}
        />
      </Dialog>
    </>
  );
}

const findSiteLink = (sites: Selection['sites'] | null) =>
  sites?.[0] ? document.getElementById(siteLinkId(sites[0].id)) : null;

const barClass =
  'sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-overlay px-4 py-3 shadow-overlay';

type OrderedNoteProps = {
  placed: readonly PlacedOrder[];
  link: RefObject<HTMLAnchorElement | null>;
  onClose: () => void;
};

/** Shows the result of an order, in the place of the selection. Its link receives the focus when the dialog closes. */
function OrderedNote({ placed, link, onClose }: OrderedNoteProps) {
  return (
    <section aria-label="Ordered" data-bottom-bar="" className={barClass}>
      <CircleCheck className="size-4 text-green-ink" />
      <p className="min-w-0 text-ink text-sm">{describePlaced(placed)}</p>
      <div className="ml-auto flex items-center gap-2">
        <ButtonLink ref={link} href="/user/orders" size="sm" variant="primary">
          View orders
        </ButtonLink>
        <IconButton label="Dismiss" onClick={onClose}>
          <X className="size-4" />
        </IconButton>
      </div>
    </section>
  );
}
