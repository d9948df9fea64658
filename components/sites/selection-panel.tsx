'use client';

import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import type { OrderMessages } from '../orders/order-failure';
import type { UrlBasket } from './basket-url';
import { SelectionTotal } from './selection-total';
import { type SitesOrderFacts, SitesOrderForm } from './sites-order-form';
import type { Selection } from './use-selection';
import { useUrlBasket } from './use-url-basket';

/** The marketplace's messages. */
const marketplaceMessages: OrderMessages = {
  failed: 'Failed to add to orders',
  notFound: 'Orders endpoint not found on the backend.',
  submit: 'Add to orders',
  done: 'Added to orders successfully.',
  // Long enough to read the message.
  doneMs: 2800,
};

type SelectionPanelProps = SitesOrderFacts & { selection: Selection };

/** The content of SelectionBar, with its order dialog. */
export function SelectionPanel({ selection, ...facts }: SelectionPanelProps) {
  const returned = useUrlBasket();
  const [open, setOpen] = useState(false);

  // After a top-up: opens the dialog again.
  useEffect(() => {
    // Outside the effect: an update inside it would wait until hydration ends and the browser is idle.
    if (returned) queueMicrotask(() => setOpen(true));
  }, [returned]);

  return (
    <>
      {selection.sites.length > 0 ? (
        <section
          aria-label="Selection"
          className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-overlay px-4 py-3 shadow-overlay"
        >
          <SelectionTotal sites={selection.sites} balanceCents={facts.balanceCents} />
          <div className="ml-auto flex gap-2">
            <Button size="sm" variant="ghost" onClick={() => selection.write([])}>
              Clear
            </Button>
            <Button size="sm" variant="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
              Add to orders
            </Button>
          </div>
        </section>
      ) : null}
      <AddToOrdersDialog {...facts} open={open} onOpenChange={setOpen} selection={selection} returned={returned} />
    </>
  );
}

type AddToOrdersDialogProps = SitesOrderFacts & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  selection: Selection;
  returned: UrlBasket | null;
};

/** The marketplace's order dialog. */
function AddToOrdersDialog({ open, onOpenChange, ...form }: AddToOrdersDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add to orders"
      description="Each site becomes a separate order, paid from your wallet."
      size="lg"
    >
      <SitesOrderForm
        {...form}
        messages={marketplaceMessages}
        renderCancel={(pending) => (
          <DialogClose>
            <Button disabled={pending}>Cancel</Button>
          </DialogClose>
        )}
        onDone={() => onOpenChange(false)}
      />
    </Dialog>
  );
}
