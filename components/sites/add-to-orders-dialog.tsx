'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import type { OrderWords } from '../orders/order-failure';
import type { AddressedBasket } from './basket-address';
import { type SitesOrderFacts, SitesOrderForm } from './sites-order-form';
import type { Selection } from './use-selection';

type AddToOrdersDialogProps = SitesOrderFacts & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  selection: Selection;
  returned: AddressedBasket | null;
};

/** The marketplace's texts (spec 001, section 8). */
const marketplaceWords: OrderWords = {
  failed: 'Failed to add to orders',
  notFound: 'Orders endpoint not found on the backend.',
  submit: 'Add to orders',
  done: 'Added to orders successfully.',
  // Spec 001, section 9.
  doneMs: 2800,
};

/** The marketplace's order dialog. */
export function AddToOrdersDialog({ open, onOpenChange, ...form }: AddToOrdersDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add to orders"
      description="Each site becomes an order of its own, paid from your wallet."
      size="lg"
    >
      <SitesOrderForm
        {...form}
        words={marketplaceWords}
        wayOut={(pending) => (
          <DialogClose>
            <Button disabled={pending}>Cancel</Button>
          </DialogClose>
        )}
        onDone={() => onOpenChange(false)}
      />
    </Dialog>
  );
}
